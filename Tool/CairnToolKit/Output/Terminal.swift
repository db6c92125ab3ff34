#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The capabilities of standard output and standard error.
package struct Terminal: Sendable {
    package enum Stream: CInt, Sendable { case output = 1, error = 2 }

    /// Whether the stream is a terminal.
    package let isTerminal: Bool
    /// Whether to use colours: on a terminal that supports them, unless `NO_COLOR` is set to any value.
    package let hasColor: Bool

    package init(_ stream: Stream) {
        isTerminal = isatty(stream.rawValue) == 1
        hasColor = isTerminal && (Self.variable("NO_COLOR") ?? "").isEmpty && Self.variable("TERM") != "dumb"
    }

    /// Whether standard input and standard output are terminals.
    package static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// Whether standard input is a terminal.
    package static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Not a terminal: a file or a pipe.
    package static let plain = Terminal(isTerminal: false, hasColor: false)

    package init(isTerminal: Bool, hasColor: Bool) {
        self.isTerminal = isTerminal
        self.hasColor = hasColor
    }

    package enum Style: String, Sendable {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case cyan = "36"

        /// The escape sequences that begin and end the style.
        var start: String { "\u{1B}[\(rawValue)m" }
        static let end = "\u{1B}[0m"
    }

    static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
