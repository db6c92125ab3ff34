import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Waits for Ctrl-C, or for a request to end. Processes that this one starts handle these signals as usual.
final class Interruption: Sendable {
    /// A handler of signals may do little more than write; it can capture nothing.
    private static let pipe = Pipe()

    init() {
        _ = Self.pipe
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { _ in Interruption.wake() }
            unsafe sigaddset(&signals, number)
        }
        // The program that started this one may have blocked them.
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static func wake() {
        var byte: UInt8 = 0
        _ = unsafe write(pipe.fileHandleForWriting.fileDescriptor, &byte, 1)
    }

    /// Ends ``wait()``, as Ctrl-C does.
    func interrupt() { Self.wake() }

    func wait() { _ = try? Self.pipe.fileHandleForReading.read(upToCount: 1) }
}
