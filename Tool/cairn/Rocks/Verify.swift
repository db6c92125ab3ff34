import ArgumentParser
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Verify: VerifyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read everything and compare it with its checksums.",
            discussion: """
                Exits with 1 if anything is damaged. Changes nothing. A log that is missing, or that lacks its end, leaves no trace of what it \
                contained, and is not reported.
                """
        )

        @OptionGroup var database: DatabaseArguments
        @Flag(help: "Print a JSON object.") var json = false

        func verify(_ progress: Progress) throws -> VerifyReport {
            try found().report(path: database.path)
        }

        private func found() throws -> RocksVerification {
            guard DatabaseOpener(path: database.path).missingCurrent() == nil else {
                return RocksVerification(
                    unopened: database.path,
                    RocksError(.corruption, "the file CURRENT is missing; 'cairn rocks repair' can rebuild it")
                )
            }
            do {
                let opened = try database.openForReading()
                let found = RocksVerification(opened)
                try opened.close()
                return found
            } catch let error as RocksError where error.code == .corruption || error.code == .ioError {
                return RocksVerification(unopened: database.path, error)
            }
        }
    }
}
