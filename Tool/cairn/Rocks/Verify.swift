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
                    hint: report.families.isEmpty
                        ? "It cannot be opened; restore it from a backup."
                        : "'cairn rocks export' saves what can still be read, column family by column family."
                )
            }
        }
    }
}
