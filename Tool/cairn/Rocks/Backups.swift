import ArgumentParser
import CairnCore
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Backups: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List, verify or delete backups.",
            discussion: """
                With --delete or --keep, lists what is left afterwards. Files that several backups share count in full for each. Exits with 1 if \
                anything is damaged; without --verify, only damage that shows without reading the files is found.
                """
        )

        @OptionGroup var backups: BackupArguments
        @Flag(help: "Read everything and compare it with its checksums.") var verify = false
        @Option(help: ArgumentHelp("Delete the backup with this number. Can be repeated.", valueName: "id")) var delete:
            [CairnRocks.Backup.ID] = []
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Delete all but this many of the latest backups.", valueName: "count")
        )
        var keep: Int?
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
                throw Failure(.no, "'\(engine.path)' has damaged backups.", hint: "--delete removes a backup; all others can be restored.")
            }
        }

        /// What is damaged, in RocksDB's words.
        private func damage(of good: [CairnRocks.Backup], _ engine: BackupEngine) throws -> [Damage] {
            var damage = try engine.corruptedBackups().map { Damage(what: "backup \($0) cannot be restored", place: "backup \($0)") }
            guard verify else { return damage }
            let progress = Progress(total: nil)
            for backup in good {
                progress.show(step: "verifying backup \(backup.id)")
                do throws(RocksError) { try engine.verify(backup.id) } catch {
                    damage.append(Damage(what: error.message, place: "backup \(backup.id)"))
                }
            }
            progress.finish()
            return damage
        }

        private func write(_ good: [CairnRocks.Backup], _ damage: [Damage], to output: OutputWriter) throws {
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
            for item in damage { try output.writeLine("damage: \(item.what)") }
            if good.isEmpty && damage.isEmpty { try output.writeLine("No backups.") }
            if verify && !good.isEmpty && damage.isEmpty { try output.writeLine("No damage found.") }
        }

        private static func json(_ good: [CairnRocks.Backup], _ damage: [Damage]) -> JSONValue {
            .object([
                ("ok", .bool(damage.isEmpty)), ("damage", .array(damage.map(\.json))), ("backups", .array(good.map(\.json))),
            ])
        }
    }
}
