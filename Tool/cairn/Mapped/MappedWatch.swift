import ArgumentParser
import CairnForms
import CairnMapped
import CairnToolKit
import Dispatch
import Synchronization

extension Mapped {
    struct Watch: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print changes by any program as they happen.",
            discussion: """
                Prints a line per change: 'set', tab, and the key as 'list' prints it; or 'removed', tab, and the key. 'everything' means that any \
                key may have changed. A printed value may be newer than its change. If keys are given, prints their current values first, and then \
                only changes of these keys.

                Nothing is written to the store, but it should be writable: otherwise it is polled 40 times a second.
                """
        )

        @OptionGroup var store: MappedArguments
        @Argument(help: "The keys. (default: all)") var keys: [String] = []
        @Option(parsing: .unconditional, help: "Stop after this many lines.") var count: Int?
        @Flag(help: "Print a JSON object per line.") var json = false

        func validate() throws {
            if let count, count < 1 { throw ValidationError("--count must be at least 1.") }
        }

        func run() throws {
            let store = try open()
            let outcome = Mutex<Result<Void, any Error>?>(nil)
            let isDone = DispatchSemaphore(value: 0)
            let watcher = Watcher(store: store, keys: keys, count: count ?? .max, json: json)
            Task {
                let result: Result<Void, any Error>
                do { result = .success(try await watcher.run()) } catch { result = .failure(error) }
                outcome.withLock { $0 = result }
                isDone.signal()
            }
            isDone.wait()
            try outcome.withLock { $0 }?.get()
        }

        private func open() throws -> MappedStore {
            do { return try store.openForWriting() } catch let error as MappedStoreError
                where [.readOnly, .permissionDenied].contains(error.code)
            {
                return try store.openForReading()
            }
        }
    }
}

/// Prints changes until there are enough.
private struct Watcher: Sendable {
    let store: MappedStore
    let keys: [String]
    let count: Int
    let json: Bool

    func run() async throws {
        // Listens before reading the values, so that no change in between is missed.
        let changes = try store.changes()
        var left = count
        for key in keys {
            try report(.set(key))
            left -= 1
            if left == 0 { return }
        }
        for try await change in changes {
            if let key = change.key, !keys.isEmpty, !keys.contains(key) { continue }
            try report(change)
            left -= 1
            if left == 0 { return }
        }
    }

    /// Prints a change, and flushes the output.
    private func report(_ change: MappedChange) throws {
        try printing { output in
            switch change {
            case .set(let key):
                guard let value = try store.get(key, as: MappedVariant.self) else { return try removal(of: key, output) }
                let entry = MappedEntry(key: key, value: value, expires: try store.expiry(of: key))
                if json {
                    try output.write(JSONValue.object([("change", .string("set"))] + MappedText.fields(entry)))
                } else {
                    try output.writeLine("set\t" + MappedText.line(entry))
                }
            case .removed(let key): try removal(of: key, output)
            case .everything:
                if json { try output.write(.object([("change", .string("everything"))])) } else { try output.writeLine("everything") }
            }
        }
    }

    private func removal(of key: String, _ output: OutputWriter) throws {
        if json {
            try output.write(.object([("change", .string("removed")), ("key", .string(key))]))
        } else {
            try output.writeLine("removed\t" + EscapedText.string(Array(key.utf8)))
        }
    }
}
