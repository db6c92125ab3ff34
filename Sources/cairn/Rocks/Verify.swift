import ArgumentParser
import CairnCore
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read everything and compare it with its checksums.",
            discussion: "Damage is exit code 1. Nothing is changed."
        )

        @OptionGroup var database: DatabaseArguments
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            var report = VerifyReport()
            do {
                let database = try database.openForReading()
                report.check(database)
                try database.close()
            } catch let error as RocksError where error.code == .corruption || error.code == .ioError {
                report.damage.append(error.message)
            }
            try printing { output in
                if json { try output.write(report.json) } else { try report.write(to: output) }
            }
            guard report.damage.isEmpty else {
                throw Failure(
                    .no,
                    "'\(database.path)' is damaged.",
                    hint: "'cairn rocks export' saves what can still be read, column family by column family."
                )
            }
        }
    }
}

/// What `verify` found.
struct VerifyReport {
    private(set) var families: [(name: String, entries: Int, bytes: Int64, isWhole: Bool)] = []
    /// What is wrong, in RocksDB's words.
    var damage: [String] = []

    mutating func check(_ database: RocksDB) {
        do throws(RocksError) { try database.verifyChecksums() } catch { damage.append(error.message) }
        for name in database.columnFamilyNames {
            var entries = 0
            var bytes: Int64 = 0
            do throws(RocksError) {
                var cursor = try database.columnFamily(name).makeCursor(.all, options: .scan)
                while let entry = try cursor.next() {
                    entries += 1
                    bytes += Int64(entry.key.byteCount + entry.value.byteCount)
                }
                families.append((name, entries, bytes, true))
            } catch {
                families.append((name, entries, bytes, false))
                damage.append(error.message)
            }
        }
    }

    func write(to output: OutputWriter) throws {
        if !families.isEmpty {
            var table = TextTable(["column family", "entries", "data", "state"], [.left, .right, .right, .left])
            for family in families {
                let state = family.isWhole ? "whole" : "damaged behind these"
                table.append([family.name, Numbers.grouped(family.entries), ByteCount(bytes: family.bytes).description, state])
            }
            try output.write(table)
        }
        for text in damage { try output.writeLine("damage: \(text)") }
        if damage.isEmpty { try output.writeLine("No damage found.") }
    }

    var json: JSONValue {
        .object([
            ("ok", .bool(damage.isEmpty)),
            (
                "column_families",
                .array(
                    families.map { family in
                        .object([
                            ("name", .string(family.name)), ("entries", .int(Int64(family.entries))), ("bytes", .int(family.bytes)),
                            ("ok", .bool(family.isWhole)),
                        ])
                    }
                )
            ),
            ("damage", .array(damage.map { .string($0) })),
        ])
    }
}
