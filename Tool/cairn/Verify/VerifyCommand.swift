import ArgumentParser
import CairnToolKit

/// `verify` of any kind of store: reads everything, prints what is damaged, and ends with exit code 1 if anything is.
protocol VerifyCommand: ParsableCommand {
    var json: Bool { get }
    func verify(_ progress: Progress) throws -> VerifyReport
}

extension VerifyCommand {
    func run() throws {
        let progress = Progress(total: nil)
        defer { progress.finish() }
        let report = try verify(progress)
        progress.finish()
        try printing { output in
            if json { try output.write(report.json) } else { try report.write(to: output) }
        }
        if !report.isIntact { throw Failure(.no, "'\(report.path)' is damaged.", hint: report.hint) }
    }
}
