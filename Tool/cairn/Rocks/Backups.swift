import ArgumentParser
import CairnCore
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Backups: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the backups of a directory, check them, or delete some.",
            discussion: """
                With --delete or --keep the list is what is there afterwards. Sizes count files whole that backups share. Damage is exit code 1; \
                without --verify only what shows without reading the files.
                """
        )

        @OptionGroup var backups: BackupArguments
        @Flag(help: "Read everything and compare it with its checksums.") var verify = false
        @Option(help: ArgumentHelp("Delete the backup of this number; repeat it for more.", valueName: "id")) var delete:
            [CairnRocks.Backup.ID] = []
        @Option(help: ArgumentHelp("Delete all but so many of the latest backups.", valueName: "count")) var keep: Int?
        @Flag(help: "Print a JSON object.") var json = false

        func validate() throws {
            if let keep, keep < 0 { throw ValidationError("--keep cannot be negative.") }
        }

        func run() throws {
            let engine = try backups.open(readOnly: delete.isEmpty && keep == nil)
            for id in delete { try engine.delete(id) }
            if let keep { try engine.purge(keeping: keep) }
            let good = try engine.backups()
            let damage = try damage(of: good, engine)
            try printing { output in
                if json { try output.write(Self.json(good, damage)) } else { try write(good, damage, to: output) }
            }
            guard damage.isEmpty else {
                throw Failure(.no, "'\(engine.path)' has damaged backups.", hint: "--delete removes one; the others can be restored.")
            }
        }

        /// What is wrong, in RocksDB's words.
        private func damage(of good: [CairnRocks.Backup], _ engine: BackupEngine) throws -> [String] {
            var damage = try engine.corruptedBackups().map { "backup \($0) cannot be restored" }
            guard verify else { return damage }
            let progress = Progress(total: nil)
            for backup in good {
                progress.show(step: "verifying backup \(backup.id)")
                do throws(RocksError) { try engine.verify(backup.id) } catch { damage.append(error.message) }
            }
            progress.finish()
            return damage
        }

        private func write(_ good: [CairnRocks.Backup], _ damage: [String], to output: OutputWriter) throws {
            if !good.isEmpty {
                var table = TextTable(["id", "date", "size", "files", "metadata"], [.right, .left, .right, .right])
                for backup in good {
                    table.append([
                        String(backup.id), backup.time, backup.size.description, Numbers.grouped(backup.fileCount),
                        EscapedText.string(backup.metadata),
                    ])
                }
                try output.write(table)
            }
            for text in damage { try output.writeLine("damage: \(text)") }
            if good.isEmpty && damage.isEmpty { try output.writeLine("No backups.") }
            if verify && !good.isEmpty && damage.isEmpty { try output.writeLine("No damage found.") }
        }

        private static func json(_ good: [CairnRocks.Backup], _ damage: [String]) -> JSONValue {
            .object([("backups", .array(good.map(\.json))), ("damage", .array(damage.map { .string($0) }))])
        }
    }
}
