import CairnCore
import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// A step of the model of large values. Numbers wrap at the number of papers, lengths are those of values.
indirect enum PaperStep: Sendable {
    case insert(Int), delete(Int)
    case title(Int, Int), text(Int, Int), sign(Int, Int?), data(Int, Int), append(Int), picture(Int, Int?), numbers(Int, Int), details(
        Int,
        Int
    )
    case look(Int, Int), all
    case save, rollback, reopen, refresh, undo, redo
    /// Another context does this and saves.
    case other([PaperStep])

    static func random(_ random: inout SeededGenerator) -> PaperStep {
        let paper = random.int(in: 0..<8)
        let length = random.oneIn(2) ? random.int(in: 0..<20) : random.int(in: 60..<400)
        return switch random.int(in: 0..<50) {
        case 0..<4: .insert(length)
        case 4..<6: .delete(paper)
        case 6..<10: .title(paper, length)
        case 10..<13: .text(paper, length)
        case 13..<16: .sign(paper, random.oneIn(4) ? nil : length)
        case 16..<19: .data(paper, length)
        case 19..<21: .append(paper)
        case 21..<24: .picture(paper, random.oneIn(4) ? nil : length)
        case 24..<26: .numbers(paper, length)
        case 26..<28: .details(paper, length)
        case 28..<33: .look(paper, random.int(in: 0..<6))
        case 33: .all
        case 34..<39: .save
        case 39: .rollback
        case 40..<42: .reopen
        case 42: .refresh
        case 43..<46: .undo
        case 46..<48: .redo
        default: .other((0..<random.int(in: 1..<4)).map { _ in change(&random) })
        }
    }

    private static func change(_ random: inout SeededGenerator) -> PaperStep {
        while true {
            switch PaperStep.random(&random) {
            case .save, .rollback, .reopen, .refresh, .undo, .redo, .other, .insert, .delete: continue
            case let step: return step
            }
        }
    }
}

/// Papers beside their values.
final class PaperRun {
    struct Values: Equatable {
        var title = "", text = "", sign: String?, data: [UInt8] = [], picture: Data?, numbers: [Int] = [], details = PaperDetails()
    }

    private let scene = PaperScene(MemoryEngine())
    private var store: ObjectStore
    private var context: ObjectContext
    private var saved: [ObjectID: Values] = [:]
    private var mine: [ObjectID: Values] = [:]
    private var undos: [[ObjectID: Values]] = []
    private var redos: [[ObjectID: Values]] = []
    private var titleCount = 0

    init() throws {
        store = try scene.store()
        context = try store.makeContext()
        recordUndo()
    }

    private func recordUndo() {
        context.undo.isEnabled = true
        context.undo.limit = 0
        (undos, redos) = ([], [])
    }

    func perform(_ steps: [PaperStep]) throws {
        for (number, step) in steps.enumerated() {
            do { try perform(step) } catch { throw Mismatch("step \(number), .\(step): \(error)") }
        }
        for step in [PaperStep.save, .all, .reopen, .all] { try perform(step) }
    }

    private func perform(_ step: PaperStep) throws {
        switch step {
        case .save:
            try context.save()
            saved = mine
            try match(try store.verify().problems.map(\.reason), [], "what verification finds")
        case .rollback:
            context.rollback()
            mine = saved
            (undos, redos) = ([], [])
        case .reopen:
            context.close()
            store = try scene.store()
            context = try store.makeContext()
            mine = saved
            recordUndo()
        case .refresh: context.refresh()
        case .undo:
            guard let former = undos.popLast() else { return }
            try context.undo.undo()
            redos.append(mine)
            mine = former
        case .redo:
            guard let next = redos.popLast() else { return }
            try context.undo.redo()
            undos.append(mine)
            mine = next
        case .other(let steps):
            // What another context changed must not be undone here.
            try perform(.save)
            context.undo.removeAll()
            (undos, redos) = ([], [])
            try store.write { (other) throws in for step in steps { try change(step, other) } }
            saved = mine
        default:
            let before = mine
            var changes = false
            try context.undo.group { changes = try change(step, context) }
            guard changes else { break }
            undos.append(before)
            redos = []
        }
        try match(context.faultErrors.map(\.message), [], "what could not be read")
    }

    /// Returns whether anything was changed.
    @discardableResult
    private func change(_ step: PaperStep, _ context: ObjectContext) throws -> Bool {
        func change(_ number: Int, _ body: (Paper, inout Values) -> Void) throws -> Bool {
            guard let (id, values) = paper(number) else { return false }
            guard let paper = try context.object(id, as: Paper.self) else { throw Mismatch("there is no paper \(id)") }
            var changed = values
            body(paper, &changed)
            mine[id] = changed
            return true
        }
        switch step {
        case .insert(let length):
            titleCount += 1
            let paper = Paper("\(titleCount)", size: length)
            context.insert(paper)
            guard let id = paper.objectID else { throw Mismatch("an inserted paper has no identity") }
            mine[id] = Values(of: paper)
            return true
        case .delete(let number):
            guard let (id, _) = paper(number), let paper = try context.object(id, as: Paper.self) else { return false }
            try context.delete(paper)
            mine[id] = nil
            return true
        case .title(let number, let length):
            titleCount += 1
            let title = "\(titleCount)" + String(repeating: "t", count: length)
            return try change(number) { ($0.title, $1.title) = (title, title) }
        case .text(let number, let length):
            let text = String(repeating: "word \(length) ", count: length / 8)
            return try change(number) { ($0.text, $1.text) = (text, text) }
        case .sign(let number, let length):
            let sign = length.map { String(repeating: "s", count: $0) }
            return try change(number) { ($0.sign, $1.sign) = (sign, sign) }
        case .data(let number, let length):
            let data = [UInt8](repeating: UInt8(truncatingIfNeeded: length), count: length)
            return try change(number) { ($0.data, $1.data) = (data, data) }
        case .append(let number):
            return try change(number) { paper, values in
                paper.data.append(1)
                values.data.append(1)
            }
        case .picture(let number, let length):
            let picture = length.map { Data(repeating: 5, count: $0) }
            return try change(number) { ($0.picture, $1.picture) = (picture, picture) }
        case .numbers(let number, let length):
            return try change(number) { ($0.numbers, $1.numbers) = (Array(0..<length), Array(0..<length)) }
        case .details(let number, let length):
            let details = PaperDetails(lines: (0..<length / 4).map { "line \($0)" })
            return try change(number) { ($0.details, $1.details) = (details, details) }
        case .look(let number, let property):
            guard let (id, values) = paper(number) else { return false }
            guard let paper = try context.object(id, as: Paper.self) else { throw Mismatch("there is no paper \(id)") }
            switch property {
            case 0: try match(paper.text, values.text, "the text")
            case 1: try match(paper.sign, values.sign, "the sign")
            case 2: try match(paper.data, values.data, "the data")
            case 3: try match(paper.picture, values.picture, "the picture")
            case 4: try match(paper.numbers, values.numbers, "the numbers")
            default: try match(paper.details, values.details, "the details")
            }
        case .all:
            let papers = try context.allObjects(Paper.self)
            let found = Dictionary(uniqueKeysWithValues: papers.map { ($0.objectID, Values(of: $0)) })
            try match(found.count, mine.count, "the number of papers")
            for (id, values) in mine { try match(found[id], values, "the paper \(id)") }
        default: break
        }
        return false
    }

    private func paper(_ number: Int) -> (ObjectID, Values)? {
        guard !mine.isEmpty else { return nil }
        let id = mine.keys.sorted()[number % mine.count]
        return mine[id].map { (id, $0) }
    }
}

extension PaperRun.Values {
    fileprivate init(of paper: Paper) {
        (title, text, sign, data) = (paper.title, paper.text, paper.sign, paper.data)
        (picture, numbers, details) = (paper.picture, paper.numbers, paper.details)
    }
}

@Suite struct LargeValueModelTests {
    @Test func `papers have the values that they were given`() async throws {
        try await checkOperations("large values", seeds: Thorough.count(5, of: 40), count: 120, generate: { .random(&$0) }) { steps in
            try PaperRun().perform(steps)
        }
    }
}
