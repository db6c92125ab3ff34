import ArgumentParser
import CairnToolKit

/// `cairn rocks`: commands for RocksDB databases.
struct Rocks: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Read, write and verify RocksDB databases.",
        discussion: """
            A database is a directory of sorted keys and values, in one or more column families. Databases of other programs can be read too.

              cairn rocks import music.db songs.csv --key title --create
              cairn rocks scan music.db --prefix Walking --limit 10

            Commands that only read open the database read-only: they see its current state and do not disturb a program that has it open. \
            Commands that write need exclusive access.

            \(ExitStatus.help)
            """,
        subcommands: [
            Get.self, Put.self, Delete.self, Scan.self, Count.self,
            Import.self, Export.self,
            ColumnFamilies.self, Stats.self, Properties.self, Options.self, Verify.self,
            Metadata.self, Diff.self, Tail.self,
            Compact.self, Checkpoint.self, Repair.self, Ingest.self,
            Backup.self, Backups.self, Restore.self,
        ]
    )
}
