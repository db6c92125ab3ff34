import ArgumentParser
import CairnCore
import CairnRocks
import CairnToolKit
import Synchronization

extension Rocks {
    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write a backup back to a directory of its own.",
            discussion: "With --replace all files in the directory are deleted first; no program may have the database open."
        )

        @OptionGroup var backups: BackupArguments
        @Argument(help: "The directory the database goes to.", completion: .directory) var path: String
        @Option(help: "The number of the backup. (default: the latest)") var id: CairnRocks.Backup.ID?
        @Flag(help: "Put it in place of what is in the directory.") var replace = false
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            let engine = try backups.open(readOnly: true)
            guard let id = try id ?? engine.backups().last?.id else {
                throw Failure(.database, "'\(engine.path)' has no backup that can be restored.")
            }
            try checkDestination()
            let progress = Mutex(Progress(total: nil))
            let size = try engine.backups().first { $0.id == id }?.size ?? .zero
            try engine.restore(id, to: path) { done in
                progress.withLock { $0.show(step: "restoring backup \(id): \(done) of \(size)") }
            }
            progress.withLock { $0.finish() }
            try printing { output in
                if json { return try output.write(.object([("path", .string(path)), ("id", .unsigned(UInt64(id)))])) }
                try output.writeLine("Restored backup \(id) to '\(path)'.")
            }
        }

        /// Restoring deletes whatever is there.
        private func checkDestination() throws {
            let names: [String]
            do {
                names = try FileSystem.system.list(path)
            } catch  where isMissing(error.errno) {
                return
            } catch {
                throw Failure(.database, "'\(path)' cannot be looked at: \(error.text).")
            }
            guard !replace, !names.isEmpty else { return }
            let what = names.contains("CURRENT") ? "There is a database at '\(path)' already." : "There are files in '\(path)' already."
            throw Failure(.database, what, hint: "--replace deletes what is there and puts the backup there.")
        }
    }
}
