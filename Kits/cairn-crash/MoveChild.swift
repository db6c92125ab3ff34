import ArgumentParser
import CairnGraph
import CairnTestSupport
import Foundation
import Synchronization

/// Moves a store while a thread saves to it. Prints each save and how far the move is, until the process is killed or the move is complete.
struct MoveChild: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "move-child", shouldDisplay: false)

    @Argument var from: MovePlace
    @Argument var to: MovePlace
    @Argument var seed: UInt64

    func run() throws {
        let (source, destination) = (try from.engine(), try to.engine())
        let writer = try writer(source)
        let start = ContinuousClock.now
        let move = ObjectStoreMove(from: source, to: destination, destinationName: "\(to)")
        let report = try Self.waiting { try await move.run { part in Self.say("progress \(part)") } }
        let seconds = start.duration(to: .now) / .seconds(1)
        if let writer { try writer.end() } else { try source.close() }
        try destination.close()
        Self.say("moved \(report.entries) \(report.laterKeys) \(seconds)")
    }

    /// Other commands of this program fork, which a process with the threads of tasks must not do.
    private static func waiting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let outcome = Outcome<Value>()
        Task.detached {
            do { outcome.set(.success(try await body())) } catch { outcome.set(.failure(error)) }
        }
        return try outcome.wait().get()
    }

    private final class Outcome<Value: Sendable>: Sendable {
        private let result = Mutex<Result<Value, any Error>>(.failure(CancellationError()))
        private let isDone = DispatchSemaphore(value: 0)

        func set(_ result: Result<Value, any Error>) {
            self.result.withLock { $0 = result }
            isDone.signal()
        }

        func wait() -> Result<Value, any Error> {
            isDone.wait()
            return result.withLock { $0 }
        }
    }

    static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    /// `nil` if the saves were stopped by an earlier run.
    private func writer(_ engine: any StorageEngine) throws -> Writer? {
        do throws(ObjectStoreError) {
            return Writer(try ObjectStore(engine: engine, classes: [MovedTrack.self]), SeededGenerator(seed: seed))
        } catch {
            guard error.code == .moved else { throw error }
            return nil
        }
    }

    /// Saves until the store is moved away, or it is told to end.
    private final class Writer: Sendable {
        private let isEnded = Atomic(false)
        private let hasEnded = DispatchSemaphore(value: 0)
        private let store: ObjectStore

        init(_ store: ObjectStore, _ random: SeededGenerator) {
            self.store = store
            Thread { [self] in
                var random = random
                do {
                    while !isEnded.load(ordering: .relaxed) {
                        try MoveChild.say("saved \(MovedTrack.save(to: store, &random))")
                        // As a program that has more to do than to save.
                        usleep(UInt32(random.int(in: 0..<4000)))
                    }
                } catch {
                    let isExpected = (error as? ObjectStoreError)?.code == .moved
                    if !isExpected { MoveChild.say("failed \(error)") }
                }
                hasEnded.signal()
            }.start()
        }

        /// Also closes the store.
        func end() throws {
            isEnded.store(true, ordering: .relaxed)
            hasEnded.wait()
            try store.close()
        }
    }
}

extension MovedTrack {
    /// Stores tracks with the numbers up to `count`.
    static func fill(_ store: ObjectStore, _ count: Int) throws {
        for start in stride(from: 0, to: count, by: 5000) {
            try store.write { context in
                for number in start..<min(start + 5000, count) {
                    context.insert(MovedTrack(number: number, plays: 0, title: "track \(number)"))
                }
            }
        }
    }

    /// Saves a new track, and that there is one more; changes another one, and sometimes exchanges one for one with the same number. Returns the number of the new track.
    static func save(to store: ObjectStore, _ random: inout SeededGenerator) throws -> Int {
        let (choice, change) = (Int(random.next() >> 1), random.int(in: 0..<4))
        return try store.write { context in
            guard let last = try context.first(MovedTrack.self, sortedBy: [.descending(\.number)]), let counter = try numbered(0, context)
            else {
                throw ObjectStoreError(.notFound, "the store has no tracks")
            }
            let number = last.number + 1
            context.insert(MovedTrack(number: number, plays: 1, title: "track \(number)"))
            counter.plays += 1
            guard let other = try numbered(1 + choice % last.number, context) else {
                throw ObjectStoreError(.notFound, "a track is missing")
            }
            if change > 0 || other.plays > 0 {
                other.title += "!"
            } else {
                let replaced = other.number
                try context.delete(other)
                context.insert(MovedTrack(number: replaced, plays: 0, title: "again"))
            }
            return number
        }
    }

    private static func numbered(_ number: Int, _ context: ObjectContext) throws -> MovedTrack? {
        try context.first(MovedTrack.self, where: \.number == number)
    }
}
