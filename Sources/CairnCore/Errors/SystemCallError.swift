#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A system call that failed: the cause of a ``FileError``.
public struct SystemCallError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// The name of the call, such as `"fsync"`.
    public let call: String
    /// The system's error number, such as `EIO`; its values differ between platforms.
    public let errno: Int32

    /// Creates the error for `call` with the error number `errno`.
    public init(call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }

    /// The system's message for ``errno``.
    public var text: String { Platform.text(ofErrno: errno) }

    /// For example `"fsync: Input/output error (errno 5)"`.
    public var description: String { "\(call): \(text) (errno \(errno))" }

    /// The ``description``, for Foundation's `localizedDescription`.
    public var errorDescription: String? { description }
}
