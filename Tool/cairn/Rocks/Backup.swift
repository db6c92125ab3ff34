import ArgumentParser
import CairnCore
import CairnRocks
import CairnToolKit
import Synchronization

extension Rocks {
    struct Backup: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a backup of the database to a directory of backups.",
            discussion: """
                Each backup is a complete database, but takes only the space of what has changed since the previous one. The directory is created \
                if it does not exist. It should be on another disk, and may contain backups of only one database.
                """
        )

        @OptionGroup var database: WritableDatabaseArguments
        @Argument(help: "The directory of the backups.", completion: .directory) var backupDirectory: String
        @Option(help: "A text to store with the backup.") var metadata: String?
        @Flag(name: .customLong("no-flush"), help: "Copy the write-ahead log as it is, instead of flushing it first.")
        var keepsLog = false
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            if backupDirectory.isEmpty { throw Failure(.database, "The path of the directory of backups is empty.") }
            if FileSystem.isSame(backupDirectory, orInside: database.path) {
                throw Failure(
                    .database,
                    "The directory '\(backupDirectory)' for backups is the database's directory, or is inside it.",
                    hint: "Give another directory, if possible on another disk."
                )
            }
            warnIfOthersCanRead()
            let database = try database.openForWriting(create: false, keepsLog: keepsLog)
            let engine = try BackupEngine(path: backupDirectory)
            let progress = Mutex(Progress(total: nil))
            let id = try engine.createBackup(of: database, metadata: Array((metadata ?? "").utf8), flushesFirst: !keepsLog) { copied in
                progress.withLock { $0.show(step: "backing up: \(copied) copied") }
            }
            progress.withLock { $0.finish() }
            try database.close()
            guard let backup = try engine.backups().first(where: { $0.id == id }) else {
                throw Failure(.database, "Backup \(id) has disappeared from '\(backupDirectory)'.")
            }
            try printing { output in
                if json { return try output.write(backup.json) }
                let files = Numbers.counted(backup.fileCount, "file", "files")
                try output.writeLine("Created backup \(id) in '\(backupDirectory)': \(files), \(backup.size).")
            }
        }

        /// Everybody who can enter their directory can read RocksDB's files. A new directory of backups gets the mode of the database's.
        private func warnIfOthersCanRead() {
            guard let mode = try? FileSystem.system.stat(backupDirectory).mode, let own = try? FileSystem.system.stat(database.path).mode
            else { return }
            guard mode & ~own & 0o055 != 0 else { return }
            Failure.warn("More users can enter the directory '\(backupDirectory)' than the database's, so they can read the backup.")
        }
    }
}
