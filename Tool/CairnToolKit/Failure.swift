/// The tool's exit codes, as `docs/tool.md` and the help texts tell them.
///
/// Thrown, it ends the command without another word.
package enum ExitStatus: Int32, Error {
    /// Done.
    case done = 0
    /// The answer is no: a key or property that is not there, damage that was found, databases that differ.
    case no = 1
    /// The command line makes no sense.
    case usage = 2
    /// The database cannot be opened, read or written.
    case database = 3
    /// A file of the user's cannot be read, is malformed, or the output cannot be written.
    case file = 4

    /// For the help texts.
    package static let help = """
        Exit codes:
          0  done
          1  the answer is no: no such key or property, damage, or a difference
          2  the command line makes no sense
          3  the database or store cannot be opened, read or written
          4  a file cannot be read, is malformed, or the output cannot be written
        """
}

/// Why a command ends without having done its job: one sentence, and what can be done about it.
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
