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
            let count = unsafe buffer.withUnsafeBytes { bytes in
                #if canImport(Darwin)
                unsafe Darwin.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
                #elseif canImport(Musl)
                unsafe Musl.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
                #else
                unsafe Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
                #endif
            }
            if count < 0 && errno == EINTR { continue }
            if count < 0 { throw errno == EPIPE ? .closed : .failed(systemMessage(errno)) }
            written += count
        }
    }

    /// Makes writing to a pipe without a reader an error of that write instead of the end of the process.
    package static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
}
