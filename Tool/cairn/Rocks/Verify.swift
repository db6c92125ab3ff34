import ArgumentParser
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Verify: VerifyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read everything and compare it with its checksums.",
            discussion: "Exits with 1 if anything is damaged. Changes nothing."
        )

        @OptionGroup var database: DatabaseArguments
        @Flag(help: "Print a JSON object.") var json = false

        func verify(_ progress: Progress) throws -> VerifyReport {
            let found: RocksVerification
            do {
                let database = try database.openForReading()
                found = RocksVerification(database)
                try database.close()
            } catch let error as RocksError where error.code == .corruption || error.code == .ioError {
                found = RocksVerification(unopened: database.path, error)
            }
            return found.report(path: database.path)
        }
    }
}
