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

/// Standard output or standard error, written in large pieces.
///
/// Anything unwritten when the process ends is lost: call ``flush()``.
package final class OutputWriter {
    private let descriptor: CInt
    private var buffer: [UInt8] = []
    private static let capacity = 1 << 16

    package init(_ stream: Terminal.Stream) { descriptor = stream.rawValue }

    package func write(_ bytes: [UInt8]) throws(OutputError) {
        buffer += bytes
        if buffer.count >= Self.capacity { try flush() }
    }

    package func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }

    package func writeLine(_ text: String = "") throws(OutputError) { try write(text + "\n") }

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

    /// Writes the last words of a process, in which arguments are printed as they were given. Errors are ignored: there is nowhere left to report
    /// them.
    package static func finish(with text: String, on stream: Terminal.Stream) {
        let writer = OutputWriter(stream)
        let isForeign = RawArguments.texts.contains(where: RawArguments.isForeign)
        try? writer.write(isForeign ? RawArguments.bytes(text) : Array(text.utf8))
        try? writer.flush()
    }

    /// Turns writing to a pipe without a reader into an error of that write, instead of ending the process.
    package static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
}
