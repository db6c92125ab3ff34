import CairnCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Why nothing more can be written.
package enum OutputError: Error, Hashable {
    /// The reader has gone, as `head` does when it has enough. No failure.
    case closed
    /// The system's words.
    case failed(String)
}

/// Standard output or standard error, written in large pieces.
///
/// What was not yet written at the end of the process is lost: call ``flush()``.
package final class OutputWriter {
    private let descriptor: CInt
    private var buffer: [UInt8] = []
    private static let capacity = 1 << 16

    package init(_ stream: Terminal.Stream) { descriptor = stream.rawValue }

    package func write(_ bytes: some Sequence<UInt8>) throws(OutputError) {
        buffer += bytes
        if buffer.count >= Self.capacity { try flush() }
    }

    package func write(_ text: String) throws(OutputError) { try write(text.utf8) }

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

    /// Makes writing to a pipe without a reader an error of that write instead of the end of the process.
    package static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
}
