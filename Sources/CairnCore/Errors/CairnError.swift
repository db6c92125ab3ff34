/// What the errors of every store have in common: an open code, a sentence, a cause.
///
/// Each module has one concrete error: `CodecError`, `FileError`, `RocksError`... Compare codes with `==`, show `description` to people,
/// and log ``fullDescription`` only where keys and values may be seen.
public protocol CairnError: Error, Sendable, CustomStringConvertible {
    /// The module's open set of codes: more may come in any release, so a `switch` needs a `default`.
    associatedtype Code: Hashable, Sendable, CustomStringConvertible

    /// What kind of failure this is.
    var code: Code { get }
    /// What was attempted on which path, table or option, and what can be done. Holds no keys and no values.
    var message: String { get }
    /// User data that explains the failure, such as the key concerned; `nil` where there is none.
    var userData: String? { get }
    /// What failed underneath, if anything did.
    var cause: (any Error)? { get }
}

extension CairnError {
    /// Code, message and cause, without user data. Of causes from elsewhere, which may quote keys and values, it shows only the type.
    public var description: String {
        var text = "\(code): \(message)"
        if let cause = furtherCause {
            text += " [\(cause is any CairnError || cause is SystemCallError ? "\(cause)" : "\(type(of: cause))")]"
        }
        return text
    }

    /// The first of the causes that says something else.
    private var furtherCause: (any Error)? {
        var next = cause
        while let error = next as? any CairnError, error.message == message { next = error.cause }
        return next
    }

    /// All of ``description``, the user data of this error and of its causes, and causes from elsewhere in full: may reveal keys and values.
    public var fullDescription: String {
        var text = "\(code): \(message)"
        if let userData { text += " (\(userData))" }
        if let cause { text += " [\((cause as? any CairnError)?.fullDescription ?? "\(cause)")]" }
        return text
    }
}
