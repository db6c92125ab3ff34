/// An error in the input: which file, which line, what is wrong.
package struct InputError: Error, Hashable, CustomStringConvertible {
    /// The file as the user named it, or `standard input`.
    package let source: String
    /// The line it begins on, from 1; `nil` if the error concerns the whole input.
    package let line: Int?
    /// What is wrong: of the source or the line itself if it begins with a verb, as in "has 1 field".
    package let message: String

    package init(source: String, line: Int? = nil, _ message: String) {
        self.source = source
        self.line = line
        self.message = message
    }

    /// Whether the message lacks its subject.
    package var isPredicate: Bool { Self.isPredicate(message) }

    /// Whether a message begins with a verb.
    package static func isPredicate(_ message: String) -> Bool { ["is ", "has ", "cannot "].contains { message.hasPrefix($0) } }

    /// A sentence without its period.
    package var description: String {
        guard let line else { return source + (isPredicate ? " " : ": ") + message }
        return "\(source), line \(line)" + (isPredicate ? ", " : ": ") + message
    }
}
