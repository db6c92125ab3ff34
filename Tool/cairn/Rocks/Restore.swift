import ArgumentParser
import CairnCore
import CairnRocks
import CairnToolKit
import Synchronization

extension Rocks {
    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Restore a backup to a directory.",
            discussion: """
                The backup is restored beside the directory, and takes its place once it is complete: if that fails, nothing has changed. If the command \
                is killed, run it again; it puts back what was moved. With --replace, all files in the directory are deleted at the end. No program \
                may have the database open. If a file system is mounted at the directory, the backup is verified, and restored there: its files are \
                then deleted first.
                """
        )

        @OptionGroup var backups: BackupArguments
        @Argument(help: "The directory to restore to.", completion: .directory) var path: String
        @Option(
            name: .customLong("id"),
            parsing: .unconditional,
            help: ArgumentHelp("The number of the backup. (default: the latest)", valueName: "id")
        )
        var number: Int?
        @Flag(help: "Replace the contents of the directory.") var replace = false
        @Flag(help: "Print a JSON object.") var json = false

        func validate() throws {
            if let number, number < 0 { throw ValidationError("--id cannot be negative.") }
        }

        func run() throws {
            let engine = try backups.open(readOnly: true)
            let id = try given(of: engine) ?? latest(of: engine)
            if FileSystem.isSame(path, orInside: engine.path) || FileSystem.isSame(engine.path, orInside: path) {
                throw Failure(
                    .database,
                    "'\(path)' is, contains or is inside the backup directory '\(engine.path)'.",
                    hint: "Restore to another directory."
                )
            }
            let place = RestorePlace(path)
            try place.check(replaces: replace)
            let progress = Mutex(Progress(total: nil))
            let size = try engine.backups().first { $0.id == id }?.size ?? .zero
            @Sendable func show(_ done: ByteCount) {
                progress.withLock { $0.show(step: "restoring backup \(id): \(done) of \(size)") }
            }
            if place.isMountPoint {
                // Nothing can take its place, so a damaged backup has to be noticed before.
                try reporting(place) { () throws(RocksError) in try engine.verify(id) }
                try reporting(place) { () throws(RocksError) in try engine.restore(id, to: path, progress: show) }
            } else {
                try place.fill {
                    try reporting(place) { () throws(RocksError) in try engine.restore(id, to: place.new, progress: show) }
                }
            }
            progress.withLock { $0.finish() }
            try printing { output in
                if json { return try output.write(.object([("path", .string(path)), ("id", .unsigned(UInt64(id)))])) }
                try output.writeLine("Restored backup \(id) to '\(path)'.")
            }
        }

        private func given(of engine: BackupEngine) throws -> CairnRocks.Backup.ID? {
            guard let number else { return nil }
            // For RocksDB, 0 is the latest.
            guard let id = CairnRocks.Backup.ID(exactly: number), id > 0 else {
                throw Failure(.database, "'\(engine.path)' does not contain a backup \(number).")
            }
            return id
        }

        /// An older backup is restored only if its number is given.
        private func latest(of engine: BackupEngine) throws -> CairnRocks.Backup.ID {
            let good = try engine.backups().last?.id
            if let damaged = try engine.corruptedBackups().max(), damaged > good ?? 0 {
                let hint = good.map { "--id \($0) restores the one before." } ?? "No other backup can be restored."
                throw Failure(.database, "Backup \(damaged) at '\(engine.path)', the latest, is damaged.", hint: hint)
            }
            guard let good else { throw Failure(.database, "'\(engine.path)' does not contain a backup that can be restored.") }
            return good
        }

        /// Errors name the directory that the user gave, and damage is the backup's.
        private func reporting(_ place: RestorePlace, _ body: () throws(RocksError) -> Void) throws {
            do throws(RocksError) { try body() } catch {
                let hint = error.code == .corruption ? "'cairn rocks backups --verify' shows the damage." : Failure(error)?.hint
                throw Failure(.database, error.sentence.replacing(place.new, with: place.given), hint: hint)
            }
        }
    }
}
