import ArgumentParser
import CairnRocksGraph
import CairnToolKit
import Dispatch
import Synchronization

extension Objects {
    struct Move: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Move a store to another engine.",
            discussion: """
                Copies the store as it is, with its encryption, and compares the copy. At the end, nothing can be saved to the old store any more: \
                programs that have it open get an error that names the new place. The old store can still be read; delete it when you no longer need it.

                  cairn objects move Music.store sqlite:Music.sqlite --dry-run
                  cairn objects move Music.store sqlite:Music.sqlite
                  cairn objects move sqlite:Music.sqlite 'postgresql://music@db1,db2/music?target_session_attrs=read-write#songs'

                If the command is interrupted or killed, run it again to continue; until it is done, the new store cannot be opened. Programs can write to a file of \
                SQLite, a database of PostgreSQL or a cluster of etcd meanwhile; a directory must not be open in any other program.
                """
        )

        @Argument(
            help: "The store: a directory, sqlite:PATH, postgresql://USER@HOST/DATABASE#STORE, or etcd://HOST:PORT/PREFIX.",
            completion: .file()
        ) var from: String
        @Argument(help: "Where to move it, in the same form; it must not exist yet.", completion: .file()) var to: String?
        @OptionGroup var password: PasswordArguments
        @Flag(help: "Only say what would be moved, and what would be refused.") var dryRun = false
        @Flag(help: "Let a store that was moved away, or whose move was interrupted, be saved to again.") var takeBack = false

        func validate() throws {
            try password.validate(for: from, to ?? "")
            guard takeBack == (to == nil) else { throw ValidationError("Give the new place, or --take-back without it.") }
            guard !takeBack || !dryRun else { throw ValidationError("--take-back cannot be combined with --dry-run.") }
        }

        func run() throws {
            guard let to else {
                let source = try open(password.location(from), createIfMissing: false)
                try ObjectStoreMove.takeBack(source)
                try source.close()
                return try printing {
                    try $0.writeLine("The store can be saved to again. If its move was complete, so can the copy: use only one of them.")
                }
            }
            let places = try password.locations(from, to)
            let source = try open(places[0], createIfMissing: false)
            let destination = try destination(places[1])
            // Also if the move fails: exit() must not find a thread that reads RocksDB's log.
            defer {
                try? destination.close()
                try? source.close()
            }
            let move = ObjectStoreMove(from: source, to: destination, destinationName: to)
            let progress = MoveProgress()
            if dryRun {
                let check = try waiting { try await move.check(progress: progress.show) }
                progress.finish()
                try printing { output in
                    try output.writeLine("Entries: \(check.entries), with \(check.bytes) bytes.")
                    try output.writeLine("The longest key has \(check.longestKey) bytes, the longest value \(check.longestValue).")
                    for problem in check.problems { try output.writeLine(problem) }
                }
            } else {
                let report = try waiting { try await move.run(progress: progress.show) }
                progress.finish()
                try printing { output in
                    guard !report.isDone else { return try output.writeLine("The store was moved before.") }
                    try output.writeLine("Moved \(report.entries) entries with \(report.bytes) bytes, and compared them.")
                    if report.staleEntries > 0 { try output.writeLine("Of an earlier copy, \(report.staleEntries) entries were old.") }
                    if report.laterKeys > 0 { try output.writeLine("\(report.laterKeys) entries were saved meanwhile.") }
                }
            }
            try destination.close()
            try source.close()
        }

        private func open(_ location: StoreLocation, createIfMissing: Bool) throws(ObjectStoreError) -> any StorageEngine {
            do { return try location.engine(createIfMissing: createIfMissing) } catch { throw ObjectStoreError(error) }
        }

        private func destination(_ location: StoreLocation) throws(ObjectStoreError) -> any StorageEngine {
            do throws(ObjectStoreError) { return try open(location, createIfMissing: !dryRun) } catch {
                guard dryRun, error.code == .notFound else { throw error }
                return MemoryEngine(limits: location.limits)
            }
        }
    }
}

/// Shows the progress, which is reported on any thread.
private final class MoveProgress: Sendable {
    private let progress = Mutex(Progress(total: nil))
    func show(_ part: Double) { progress.withLock { $0.show(step: "\(Int(part * 100)) %") } }
    func finish() { progress.withLock { $0.finish() } }
}

/// Waits for asynchronous work.
private func waiting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let outcome = Outcome<Value>()
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
        do {
            let value = try await body()
            outcome.result.withLock { $0 = .success(value) }
        } catch {
            outcome.result.withLock { $0 = .failure(error) }
        }
        isDone.signal()
    }
    isDone.wait()
    guard let result = outcome.result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
}

private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
}
