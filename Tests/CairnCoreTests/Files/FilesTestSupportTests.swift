import CairnCore
import CairnTestSupport
import Foundation
import Synchronization
import Testing

/// The comments of the issues that `body` records, which then do not count as failures of the test.
private func issues(in body: @Sendable () async throws -> Void) async throws -> [String] {
    let collected = Mutex<[String]>([])
    let trait = IssueHandlingTrait.compactMapIssues { issue in
        collected.withLock { $0.append(issue.comments.map(\.rawValue).joined(separator: "\n")) }
        return nil
    }
    try await trait.provideScope(for: try #require(Test.current), testCase: Test.Case.current, performing: body)
    return collected.withLock { $0 }
}

struct SeededGeneratorTests {
    /// The first numbers that the published SplitMix64 makes of seed 1234567.
    @Test func equalSeedsGiveTheKnownSequence() {
        var generator = SeededGenerator(seed: 1_234_567)
        let numbers = (0..<3).map { _ in generator.next() }
        #expect(numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
        #expect(generator.seed == 1_234_567)
    }

    @Test func helpers() async throws {
        try await withSeeds("generator") { generator in
            let count = generator.int(in: 0..<30)
            #expect(generator.bytes(count).count == count)
            #expect([1, 2].contains(generator.pick([1, 2])))
            let numbers = (0..<2_000).map { _ in generator.spreadInteger() }
            #expect(numbers.contains { $0 < 256 } && numbers.contains { $0 > 1 << 60 })
            let hits = (0..<4_000).count { _ in generator.oneIn(4) }
            #expect((700..<1_300).contains(hits))
        }
    }

    @Test func failuresNameTheirSeed() async throws {
        struct Refused: Error {}
        let issues = try await issues {
            try await withSeeds("topic", count: 1) { generator in
                #expect(generator.seed == 0 && generator.seed == 1)
                throw Refused()
            }
            try await withSeeds("topic", count: 1) { generator in try #require(generator.seed == 0 && generator.seed == 1) }
        }
        #expect(issues.count == 3)
        for issue in issues { #expect(issue.contains("topic: repeat with CAIRN_SEED=0x")) }
    }
}

struct TemporaryDirectoryTests {
    @Test func isUniqueAndRemovedWithItsContents() throws {
        var one: TemporaryDirectory? = try TemporaryDirectory()
        let two = try TemporaryDirectory()
        let path = try #require(one?.path)
        #expect(path != two.path)
        try FileSystem.system.mkdir(path + "/d")
        try FileSystem.system.replaceFile(at: path + "/d/a", with: "x", durability: .none)
        one = nil
        #expect(throws: SystemCallError(call: "stat", errno: ENOENT)) { try FileSystem.system.stat(path) }
    }
}

enum StackOperation: Equatable {
    case push(Int), pop
}

struct OperationTests {
    /// A stack that loses elements above its third.
    private static func run(_ operations: [StackOperation]) throws {
        var stack: [Int] = [], model: [Int] = []
        for operation in operations {
            switch operation {
            case .push(let number):
                if stack.count < 3 { stack.append(number) }
                model.append(number)
            case .pop:
                try match(stack.popLast(), model.popLast(), "top of the stack")
            }
        }
        try match(stack, model, "stack")
    }

    private static func generate(_ generator: inout SeededGenerator) -> StackOperation {
        generator.oneIn(3) ? .pop : .push(generator.int(in: 1..<1_000))
    }

    private static func simpler(_ operation: StackOperation) -> [StackOperation] {
        if case .push(let number) = operation, number > 1 { [.push(1), .push(number / 2)] } else { [] }
    }

    @Test func failuresShrinkToTheShortest() async throws {
        try await withSeeds("shrinking", count: 20) { generator in
            let operations = (0..<200).map { _ in Self.generate(&generator) }
            let shortest = shrink(operations, simpler: Self.simpler) { (try? Self.run($0)) == nil }
            #expect(shortest == [.push(1), .push(1), .push(1), .push(1)])
        }
    }

    @Test func failuresArePrintedAsSource() async throws {
        let issues = try await issues {
            try await checkOperations("stack", seeds: 1, generate: Self.generate, simpler: Self.simpler, run: Self.run)
        }
        let text = try #require(issues.first)
        #expect(issues.count == 1)
        #expect(text.contains("stack: [1, 1, 1], expected [1, 1, 1, 1]"))
        #expect(text.contains("let operations: [StackOperation] = [\n    .push(1),\n    .push(1),\n    .push(1),\n    .push(1),\n]"))
        #expect(text.contains("CAIRN_SEED=0x"))
    }

    @Test func successIsSilent() async throws {
        try await checkOperations("nothing", generate: Self.generate) { _ in }
    }

    @Test func attemptsAreLimited() {
        var count = 0
        _ = shrink(Array(0..<1_000), attempts: 50) { _ in
            count += 1
            return false
        }
        #expect(count == 50)
    }
}
