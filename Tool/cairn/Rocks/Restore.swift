import ArgumentParser
import CairnCore
import CairnRocks
import CairnToolKit
import Synchronization

extension Rocks {
    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Restore a backup to a directory.",
            discussion: "With --replace, all files in the directory are deleted first. No program may have the database open."
        )

        @OptionGroup var backups: BackupArguments
        @Argument(help: "The directory to restore to.", completion: .directory) var path: String
        @Option(help: "The number of the backup. (default: the latest)") var id: CairnRocks.Backup.ID?
        @Flag(help: "Replace the contents of the directory.") var replace = false
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            let engine = try backups.open(readOnly: true)
            guard let id = try id ?? engine.backups().last?.id else {
                throw Failure(.database, "'\(engine.path)' does not contain a backup that can be restored.")
            }
            try checkDestination()
            let progress = Mutex(Progress(total: nil))
            let size = try engine.backups().first { $0.id == id }?.size ?? .zero
            do throws(RocksError) {
                try engine.restore(id, to: path) { done in
                    progress.withLock { $0.show(step: "restoring backup \(id): \(done) of \(size)") }
                }
            } catch {
                guard error.code == .corruption else { throw error }
                throw Failure(.database, error.sentence, hint: "'cairn rocks backups --verify' shows the damage.")
            }
            progress.withLock { $0.finish() }
            try printing { output in
                if json { return try output.write(.object([("path", .string(path)), ("id", .unsigned(UInt64(id)))])) }
                try output.writeLine("Restored backup \(id) to '\(path)'.")
            }
        }

        /// Restoring deletes everything in the directory.
        private func checkDestination() throws {
            let names: [String]
            do {
                names = try FileSystem.system.list(path)
            } catch  where isMissing(error.errno) {
                return
            } catch {
                throw Failure(.database, "'\(path)' cannot be accessed: \(error.text).")
            }
            guard !replace, !names.isEmpty else { return }
            let what = names.contains("CURRENT") ? "There is already a database at '\(path)'." : "There are already files in '\(path)'."
            throw Failure(.database, what, hint: "--replace deletes them and restores the backup there.")
        }
    }
}
