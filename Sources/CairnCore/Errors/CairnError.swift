#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The common interface of all stores' errors: an open set of codes, a message, a cause.
///
/// Each module has one concrete error: `CodecError`, `FileError`, `RocksError`... Compare codes with `==`, show `description` to people, and log
/// ``fullDescription`` only where keys and values may be seen.
public protocol CairnError: LocalizedError, Sendable, CustomStringConvertible {
    /// The module's open set of codes. Any release may add more, so a `switch` needs a `default`.
    associatedtype Code: Hashable, Sendable, CustomStringConvertible

    /// The kind of failure.
    var code: Code { get }
    /// A sentence that says what was attempted on which path, table or option, and what can be done. Contains no keys or values.
    var message: String { get }
    /// User data that explains the failure, such as the key concerned; `nil` if there is none.
    var userData: String? { get }
    /// The underlying error, if there is one.
    var cause: (any Error)? { get }
}

extension CairnError {
    /// The code, message and cause, without user data. Of causes from other libraries, which may quote keys and values, it shows only the type.
    public var description: String {
        var text = "\(code): \(message)"
        if let cause = furtherCause {
            text += " [\(cause is any CairnError || cause is SystemCallError ? "\(cause)" : "\(type(of: cause))")]"
        }
        return text
    }

    /// The ``description``, which is thus also what Foundation's `localizedDescription` returns.
    public var errorDescription: String? { description }
    /// `nil`: the message states the reason.
    public var failureReason: String? { nil }
    /// `nil`: the message says what can be done.
    public var recoverySuggestion: String? { nil }
    /// `nil`.
    public var helpAnchor: String? { nil }

    /// The first of the causes that says something else.
    private var furtherCause: (any Error)? {
        var next = cause
        while let error = next as? any CairnError, error.message == message { next = error.cause }
        return next
    }

    /// The ``description``, the user data of this error and of its causes, and causes from other libraries in full: may reveal keys and values.
    public var fullDescription: String {
        var text = "\(code): \(message)"
        if let userData { text += " (\(userData))" }
        if let cause { text += " [\((cause as? any CairnError)?.fullDescription ?? "\(cause)")]" }
        return text
    }
}
