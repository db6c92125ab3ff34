import ArgumentParser
import CairnCDB
import CairnToolKit

extension CDB {
    struct Verify: VerifyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check that records and hash tables match.",
            discussion: """
                Exits with 1 if anything is damaged. Changes nothing. The format has no checksums, so damage within a value cannot be detected.
                """
        )

        @OptionGroup var file: CDBArguments
        @Flag(help: "Print a JSON object.") var json = false

        func verify(_ progress: Progress) throws -> VerifyReport {
            var report = VerifyReport(path: file.path)
            var records = 0
            var reader: CDBReader?
            do {
                let opened = try file.open()
                reader = opened
                try opened.verify { progress.show(step: "\(Int($0 * 100)) %") }
                records = try opened.count
            } catch let error as CDBError where error.code == .corruption {
                try file.checkKind()
                report.damage.append(Damage(what: error.message, place: file.path))
            }
            report.counts = [(records, "record", "records")]
            report.details = [("records", .int(Int64(records)))]
            report.hint =
                reader == nil ? "It cannot be opened; restore it from a backup." : "'cairn cdb dump' prints the records before the damage."
            return report
        }
    }
}
