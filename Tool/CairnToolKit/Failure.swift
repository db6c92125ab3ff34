package import CairnCore

/// The tool's exit codes, as documented in `docs/tool.md` and the help texts.
///
/// If thrown, it ends the command without a message.
package enum ExitStatus: Int32, Error {
    /// Done.
    case done = 0
    /// The answer is no: a missing key or property, damage, or a difference.
    case no = 1
    /// The command line is invalid.
    case usage = 2
    /// The database cannot be opened, read or written.
    case database = 3
    /// An input file cannot be read or is malformed, or the output cannot be written.
    case file = 4

    /// For the help texts.
    package static let help = """
        Exit codes:
          0  done
          1  the answer is no: a missing key or property, damage, or a difference
          2  the command line is invalid
          3  the database or store cannot be opened, read or written
          4  an input file cannot be read or is malformed, or the output cannot be written
        """
}

/// The reason why a command failed, in one sentence, and what to do about it.
package struct Failure: Error {
    package let status: ExitStatus
    package let message: String
    package let hint: String?

    package init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
        self.status = status
        self.message = message
        self.hint = hint
    }
}

extension Failure {
    /// The failure to show for an error of input, output or any store; `nil` for other errors.
    package init?(general error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as InputError: self.init(.file, "\(error).")
        case .failed(let reason) as OutputError: self.init(.file, "The output cannot be written: \(reason).")
        case let error as any CairnError: self.init(.database, error.sentence)
        default: return nil
        }
    }

    /// Prints a hint on standard error.
    package static func hint(_ text: String) {
        OutputWriter.finish(with: " \(EscapedText.line(text))\n", on: .error, label: ("Hint:", .cyan))
    }

    /// Prints a warning on standard error, about something that does not stop the command.
    package static func warn(_ text: String) {
        OutputWriter.finish(with: " \(EscapedText.line(text))\n", on: .error, label: ("Warning:", .red))
    }

    /// Prints the message and the hint on standard error.
    package func report() {
        OutputWriter.finish(with: " \(EscapedText.line(message))\n", on: .error, label: ("Error:", .red))
        if let hint { Self.hint(hint) }
    }
}

extension CairnError {
    /// What went wrong, and why. Users of the tool can see the data anyway, so causes are shown in full.
    package var sentence: String {
        var text = message
        var next = cause
        while let cause = next {
            let inner = cause as? any CairnError
            let reason = (inner?.message ?? "\(cause)").asLine
            if text.hasSuffix(Self.reference) {
                text = String(text.dropLast(Self.reference.count)) + ": " + reason
            } else if !text.contains(reason) {
                // Messages often end with their cause.
                text += " (\(reason))"
            }
            // Errors of files already explain what the system reported.
            next = inner is FileError ? nil : inner?.cause
        }
        return text.asSentence
    }

    /// How messages of the libraries refer to a cause, which is not part of them.
    private static var reference: String { "; see the cause" }
}

extension String {
    /// In one line: errors of servers have several, which are sentences without their periods.
    fileprivate var asLine: String {
        let lines = split(whereSeparator: \.isNewline).map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        return lines.reduce("") { $0.isEmpty ? $1 : $0.withPeriod + " " + $1 }
    }

    private var withPeriod: String { last.map { ".?!".contains($0) } == true ? self : self + "." }

    /// With a capital letter, unless it begins with a path or another argument of the command, and a period.
    package var asSentence: String {
        let beginning = prefix { $0 != " " }
        let isPath = beginning.contains("/") || beginning.contains(".") || RawArguments.texts.dropFirst().contains(String(beginning))
        return (isPath ? self : prefix(1).uppercased() + dropFirst()).withPeriod
    }
}
