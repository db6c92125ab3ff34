import CairnEngine
import Foundation
import Synchronization

extension EngineCheck {
    static let threadChecks = [
        EngineCheck("no update is lost between threads") { stage in
            let engine = stage.engine
            let threads = 4
            let rounds = 50
            try await onThreads(threads) { number in
                var random = CheckGenerator(seed: UInt64(number))
                for _ in 0..<rounds {
                    _ = try Stage.commit(to: engine) { commit in
                        let view = try engine.makeView()
                        let key = "counter \(random.int(0..<2))"
                        let count = try view.get(key).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
                        commit.read(key, in: view)
                        commit.put("\(count + 1)", for: key)
                    }
                }
            }
            let sum = try engine.makeView().entries().reduce(0) { $0 + (Int(String(decoding: $1.value, as: UTF8.self)) ?? 0) }
            try require(sum == threads * rounds, "\(threads * rounds) increments by threads gave \(sum)")
        },
        EngineCheck("readers see commits whole") { stage in
            let engine = stage.engine
            let isOver = Atomic<Bool>(false)
            try await onThreads(3) { number in
                if number == 0 {
                    defer { isOver.store(true, ordering: .relaxed) }
                    for round in 0..<200 {
                        _ = try Stage.commit(to: engine) { commit in
                            for key in 0..<8 { commit.put("\(round)", for: "key \(key)") }
                        }
                    }
                    return
                }
                var last = EngineVersion(rawValue: 0)
                while !isOver.load(ordering: .relaxed) {
                    let view = try engine.makeView()
                    let values = Set(try view.entries().map(\.value))
                    try require(values.count <= 1, "a view sees parts of a commit")
                    let keys = KeyList((0..<8).map { "key \($0)" })
                    let read = Set(try view.multiGet(keys))
                    try require(read == (values.isEmpty ? [nil] : Set(values.map(Optional.init))), "a view's reads differ from its scans")
                    try require(view.version >= last, "versions of views went back")
                    last = view.version
                }
            }
        },
        EngineCheck("threads read from one view at once") { stage in
            let engine = stage.engine
            let entries = (0..<200).map { (Array("key \(1000 + $0)".utf8), Array("value \($0)".utf8)) }
            try stage.put(entries)
            let view = try engine.makeView()
            let threads = 3
            let begun = Atomic(0), ended = Atomic(0)
            try await onThreads(threads) { number in
                let range = KeyRange(lowerBound: number == 2 ? entries[100].0 : [], upperBound: nil)
                let wanted = number == 2 ? entries[100...] : entries[...]
                var found: [[UInt8]] = []
                defer { ended.wrappingAdd(1, ordering: .relaxed) }
                try view.lendEntries(in: range, reverse: number == 1) { key, value in
                    found.append([UInt8](copying: value))
                    guard found.count == 1, engine.readsInParallel else { return true }
                    // No thread continues before all have begun.
                    begun.wrappingAdd(1, ordering: .relaxed)
                    let end = ContinuousClock.now + .seconds(20)
                    while begun.load(ordering: .relaxed) + ended.load(ordering: .relaxed) < threads, ContinuousClock.now < end {
                        Thread.sleep(forTimeInterval: 0.0001)
                    }
                    return true
                }
                let values = number == 1 ? wanted.map(\.1).reversed() : wanted.map(\.1)
                try require(found == values, "a concurrent scan finds the wrong entries")
                let keys = KeyList(entries.map(\.0))
                try require(try view.multiGet(keys) == entries.map(\.1), "a concurrent read finds the wrong values")
            }
            let all = begun.load(ordering: .relaxed)
            let wanted = engine.readsInParallel ? threads : 0
            try require(all == wanted, "threads wait for each other, though the engine claims to read in parallel")
        },
    ]

    /// Runs `body` on threads of their own, and throws the first error.
    static func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    try await withCheckedThrowingContinuation { continuation in
                        // The thread may outlive its work for a moment, and must not keep what `body` holds, such as a view.
                        let work = Work(body)
                        Thread { continuation.resume(with: work.run(number)) }.start()
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// Work that releases its closure before its result is known.
private final class Work: Sendable {
    private let body: Mutex<(@Sendable (Int) throws -> Void)?>

    init(_ body: @escaping @Sendable (Int) throws -> Void) { self.body = Mutex(body) }

    func run(_ number: Int) -> Result<Void, any Error> { Result { try body.withLock { $0.take() }?(number) } }
}
