/// An error in the input: which file, which line, what is wrong.
package struct InputError: Error, Hashable, CustomStringConvertible {
    /// The file as the user named it, or `standard input`.
    package let source: String
    /// The line it begins on, from 1; `nil` if the error concerns the whole input.
    package let line: Int?
    package let message: String

    package init(source: String, line: Int? = nil, _ message: String) {
        self.source = source
        self.line = line
        self.message = message
    }

    package var description: String {
        guard let line else { return "\(source): \(message)" }
        return "\(source), line \(line): \(message)"
    }
}
