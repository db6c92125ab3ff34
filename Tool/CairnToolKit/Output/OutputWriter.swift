import CairnCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The reason why nothing more can be written.
package enum OutputError: Error, Hashable {
    /// The reader is gone, as `head` is when it has enough. Not a failure.
    case closed
    /// The system's message.
    case failed(String)
}

/// Standard output or standard error, written in large pieces. All that the tool writes to a terminal passes here, and cannot control it.
///
/// Anything unwritten when the process ends is lost: call ``flush()``.
package final class OutputWriter {
    private let descriptor: CInt
    private var buffer: [UInt8] = []
    private static let capacity = 1 << 16

    private let terminal: Terminal

    package init(_ stream: Terminal.Stream) {
        descriptor = stream.rawValue
        terminal = Terminal(stream)
    }

    /// Writes bytes as they are; on a terminal, without what could control it (``EscapedText``).
    package func write(_ bytes: [UInt8]) throws(OutputError) { try writeAsIs(terminal.isTerminal ? EscapedText.lines(bytes) : bytes) }

    package func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }

    package func writeLine(_ text: String = "") throws(OutputError) { try write(text + "\n") }

    /// Writes a line, in `style` where the output is a terminal with colours.
    package func writeLine(_ text: String, _ style: Terminal.Style) throws(OutputError) {
        try write(text, style)
        try write("\n")
    }

    /// Writes text, in `style` where the output is a terminal with colours.
    func write(_ text: String, _ style: Terminal.Style) throws(OutputError) {
        if terminal.hasColor { try writeAsIs(Array(style.start.utf8)) }
        try write(text)
        if terminal.hasColor { try writeAsIs(Array(Terminal.Style.end.utf8)) }
    }

    /// Writes what may control a terminal, such as a progress bar.
    func writeAsIs(_ bytes: [UInt8]) throws(OutputError) {
        buffer += bytes
        if buffer.count >= Self.capacity { try flush() }
    }

    package func flush() throws(OutputError) {
        defer { buffer.removeAll(keepingCapacity: true) }
        var written = 0
        while written < buffer.count {
            do throws(SystemCallError) {
                // `bytes` is unsafe for elements with padding; UInt8 has none.
                let bytes = unsafe buffer.span.bytes
                written += try FileSystem.system.write(descriptor, bytes.extracting(droppingFirst: written))
            } catch {
                throw error.errno == EPIPE ? .closed : .failed(error.text)
            }
        }
    }

    /// Writes the last message of a process. What could control a terminal is escaped wherever the words go: messages contain parts of files, and
    /// logs are read on terminals. Errors are ignored: there is nowhere left to report them.
    ///
    /// - Parameter label: What comes first, in its style.
    package static func finish(with text: String, on stream: Terminal.Stream, label: (String, Terminal.Style)? = nil) {
        let writer = OutputWriter(stream)
        if let (label, style) = label { try? writer.write(label, style) }
        try? writer.writeAsIs(Array(EscapedText.lines(text).utf8))
        try? writer.flush()
    }

    /// Turns writing to a pipe without a reader, or beyond the limit for the size of files, into an error of that write, instead of ending the process.
    package static func ignoreSignals() { for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) } }
}
