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
                Copies the store as it is, with its encryption, and compares the copy. After that, nothing can be saved to the old store: programs \
                that have it open get an error that names the new place. The old store can still be read; delete it when you no longer need it.

                  cairn objects move Music.store sqlite:Music.sqlite --dry-run
                  cairn objects move Music.store sqlite:Music.sqlite
                  cairn objects move sqlite:Music.sqlite 'postgresql://music@db1,db2/music?target_session_attrs=read-write#songs'

                If the command is interrupted or killed, run it again to continue; until it is done, the new store cannot be opened. Programs can write to a file of \
                SQLite, a database of PostgreSQL or a cluster of etcd meanwhile; a directory must not be open in any other program.

                With --dry-run, nothing is changed, and the exit code is 1 if the move would be refused.

                --take-back is for a store whose saves a move has stopped, when you want to continue with it as it is: because the move was interrupted at its \
                end and you do not want to continue it, or because you give up the new store. It changes nothing at the new place, and brings nothing back from there: \
                to get what was saved there, move it back instead. If the move was complete, both stores can be saved to afterwards, and they differ from \
                then on: use only one of them.
                """
        )

        @Argument(
            help: "The store: a directory, sqlite:PATH, postgresql://USER@HOST/DATABASE#STORE, or etcd://HOST:PORT/PREFIX.",
            completion: .file()
        ) var from: String
        @Argument(help: "Where to move it, in the same form; it must not exist yet, but can be an empty directory.", completion: .file())
        var to: String?
        @OptionGroup var password: PasswordArguments
        @Option(
            help: ArgumentHelp(
                "The same for the server to move to, if its password is different. (default: CAIRN_TO_PASSWORD)",
                valueName: "file"
            ),
            completion: .file()
        )
        var toPasswordFile: String?
        @OptionGroup var wait: WaitArguments
        @Flag(help: "Only say what would be moved, and what would be refused.") var dryRun = false
        @Flag(help: "Let a store that was moved away, or whose move was interrupted at its end, be saved to again.") var takeBack = false
        @Flag(help: "Print the result as a JSON object.") var json = false

        func validate() throws {
            try password.validate(for: from, to ?? "")
            try PasswordArguments.validate(toPasswordFile, "--to-password-file", for: [to ?? ""])
            guard password.passwordFile != "-" || toPasswordFile != "-" else {
                throw ValidationError("Only one of --password-file and --to-password-file can be standard input.")
            }
            guard takeBack == (to == nil) else { throw ValidationError("Give the new place, or --take-back without it.") }
            guard !takeBack || !dryRun else { throw ValidationError("--take-back cannot be combined with --dry-run.") }
        }

        func run() throws {
            guard let to else { return try takeBackSource() }
            let (one, other) = try password.locations(from, to, toPasswordFile: toPasswordFile)
            let places = try wait.applied(to: one, other)
            let source = try open(places.0)
            // Also if the move fails: exit() must not find a thread that reads RocksDB's log.
            defer { try? source.close() }
            var found: (any StorageEngine)?
            var refusal: ObjectStoreError?
            do throws(ObjectStoreError) { found = try existing(places.1, apartFrom: places.0) } catch {
                // A server that cannot be reached says nothing about the move.
                guard dryRun, error.code != .unavailable else { throw error }
                refusal = error
            }
            // Without a destination, the store is compared with nothing.
            var move = makeMove(places.1, from: source, to: found ?? MemoryEngine(limits: places.1.limits))
            if found == nil, !dryRun {
                try hinting(places.1) { try move.checkStart() }
                move = makeMove(places.1, from: source, to: try engine(places.1, createIfMissing: true))
            }
            let destination = move.destination
            defer { try? destination.close() }
            let progress = MoveProgress(dryRun ? "checking" : "moving")
            if dryRun {
                let check = try waiting { [move] in try await move.check(progress: progress.show) }
                progress.finish()
                var problems = refusal.map { [$0.message] } ?? check.problems
                if let found, !check.isDone, let objection = try objectionToWriting(found) { problems.append(objection) }
                try show(check, problems)
                guard problems.isEmpty else { throw ExitStatus.no }
            } else {
                let report = try hinting(places.1) { try waiting { [move] in try await move.run(progress: progress.show) } }
                progress.finish()
                try show(report)
            }
            try destination.close()
            try source.close()
        }

        /// Why nothing can be written to a store that exists at the destination.
        private func objectionToWriting(_ found: any StorageEngine) throws(ObjectStoreError) -> String? {
            do throws(ObjectStoreError) { try StoreLocation.checkWriting(found) } catch {
                guard error.code != .unavailable else { throw error }
                return error.message
            }
            return nil
        }

        private func makeMove(_ place: StoreLocation, from source: any StorageEngine, to destination: any StorageEngine) -> ObjectStoreMove
        {
            var move = ObjectStoreMove(from: source, to: destination, destinationName: place.name(to ?? ""))
            // The password is not asked for here.
            move.isDestination = { (try? StoreLocation($0, password: ""))?.place == place.place }
            return move
        }

        /// Adds to errors of a move what can be done.
        private func hinting<Value>(_ place: StoreLocation, _ body: () throws -> Value) throws -> Value {
            do { return try body() } catch let error as ObjectStoreError {
                let hint: String? =
                    switch error.code {
                    case .moved where error.message.hasSuffix("can be deleted"): "To delete it: \(place.removal)"
                    case .moved where error.message.contains("take it back"):
                        "'cairn objects move \(from.quotedForShell) --take-back' takes it back."
                    case .unavailable, .noSpace, .ioError, .permissionDenied, .expired, .cancelled:
                        "Once that is fixed, run the move again: it continues."
                    case .tooLarge:
                        "Shorten it in the old store, or raise the server's limits, and run the move again: it continues. To give up the move, delete the copy: \(place.removal)"
                    default: nil
                    }
                guard let hint else { throw error }
                throw Failure(.database, error.sentence, hint: hint)
            }
        }

        private func takeBackSource() throws {
            let source = try open(wait.applied(to: password.location(from)))
            let place = try ObjectStoreMove.takeBack(source)
            try source.close()
            try printing { output in
                if json {
                    return try output.write(
                        .object([("taken_back", .bool(place != nil)), ("destination", place.map { .string($0) } ?? .null)])
                    )
                }
                guard let place else {
                    return try output.writeLine("The store was not moved: it can be saved to, and nothing was changed.")
                }
                try output.writeLine(
                    "The store can be saved to again, and has everything that was saved before its move. What was saved at the new place since stays there."
                )
                try output.writeLine(
                    "If the move was complete, \(EscapedText.string(Array(place.utf8))) can be saved to as well: use only one of them."
                )
            }
        }

        private func show(_ check: ObjectStoreMove.Check, _ problems: [String]) throws {
            try printing { output in
                if json {
                    return try output.write(
                        .object([
                            ("entries", .int(Int64(check.entries))), ("bytes", .int(Int64(check.bytes))),
                            ("longest_key", .int(Int64(check.longestKey))), ("longest_value", .int(Int64(check.longestValue))),
                            ("moved_before", .bool(check.isDone)), ("refused", .array(problems.map { .string($0) })),
                        ])
                    )
                }
                try output.writeLine("Entries: \(check.entries), with \(check.bytes) bytes.")
                try output.writeLine("The longest key has \(check.longestKey) bytes, the longest value \(check.longestValue).")
                if check.isDone { try output.writeLine("The store has already been moved.") }
                for problem in problems { try output.writeLine("refused: \(EscapedText.string(Array(problem.utf8)))") }
            }
        }

        private func show(_ report: ObjectStoreMove.Report) throws {
            try printing { output in
                if json {
                    return try output.write(
                        .object([
                            ("entries", .int(Int64(report.entries))), ("bytes", .int(Int64(report.bytes))),
                            ("stale_entries", .int(Int64(report.staleEntries))), ("later_keys", .int(Int64(report.laterKeys))),
                            ("moved_before", .bool(report.isDone)),
                        ])
                    )
                }
                guard !report.isDone else { return try output.writeLine("The store has already been moved.") }
                try output.writeLine("Moved \(report.entries) entries with \(report.bytes) bytes, and compared them.")
                if report.staleEntries > 0 {
                    let stale = Numbers.counted(report.staleEntries, "entry of an earlier copy was", "entries of an earlier copy were")
                    try output.writeLine("\(stale) outdated.")
                }
                if report.laterKeys > 0 {
                    try output.writeLine("\(Numbers.counted(report.laterKeys, "entry was", "entries were")) saved in the meantime.")
                }
            }
        }

        private func open(_ location: StoreLocation) throws -> any StorageEngine {
            try ObjectsArguments.opening(from, hint: "Check the path.") { () throws(ObjectStoreError) in
                try engine(location, createIfMissing: false)
            }
        }

        /// What is at the destination; `nil` if there is nothing, and a store can be created.
        private func existing(_ place: StoreLocation, apartFrom source: StoreLocation) throws(ObjectStoreError) -> (any StorageEngine)? {
            guard place.place != source.place else {
                throw ObjectStoreError(.foreignFile, "\(place.name(to ?? "")) is the store itself; move to an empty place")
            }
            do throws(ObjectStoreError) { return try engine(place, createIfMissing: false) } catch {
                guard error.code == .notFound else { throw error }
                try place.checkCreation()
                return nil
            }
        }

        private func engine(_ location: StoreLocation, createIfMissing: Bool) throws(ObjectStoreError) -> any StorageEngine {
            do { return try location.engine(createIfMissing: createIfMissing) } catch { throw ObjectStoreError(error) }
        }
    }
}

/// Shows the progress, which is reported on any thread.
private final class MoveProgress: Sendable {
    private let progress = Mutex(Progress(total: nil))
    private let work: String

    init(_ work: String) { self.work = work }

    func show(_ part: Double) { progress.withLock { $0.show(step: "\(work): \(Int(part * 100)) %") } }
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
