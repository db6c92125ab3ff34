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
        let report: VerifyReport
        do { report = try verify(progress) } catch {
            guard let failure = Failure(error) else { throw error }
            // Elsewhere, the hint is this command.
            let isSame = failure.hint?.contains(" verify'") == true
            throw Failure(failure.status, failure.message, hint: isSame ? "'cairn doctor' suggests what to do." : failure.hint)
        }
        progress.finish()
        try printing { output in
            if json { try output.write(report.json) } else { try report.write(to: output) }
        }
        if !report.isIntact { throw Failure(.no, "'\(report.path)' is damaged.", hint: report.hint) }
    }
}
