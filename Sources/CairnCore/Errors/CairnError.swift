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
    /// The code, message and causes, without user data. Of causes from other libraries, which may quote keys and values, it shows only the type. A cause whose
    /// message was said already, as part of another, is left out.
    public var description: String { text(isFull: false) }

    /// The ``description``, which is thus also what Foundation's `localizedDescription` returns.
    public var errorDescription: String? { description }
    /// `nil`: the message states the reason.
    public var failureReason: String? { nil }
    /// `nil`: the message says what can be done.
    public var recoverySuggestion: String? { nil }
    /// `nil`.
    public var helpAnchor: String? { nil }

    /// The ``description``, the user data of this error and of its causes, and causes from other libraries in full: may reveal keys and values.
    public var fullDescription: String { text(isFull: true) }

    /// This error and its causes, each in brackets after the one before.
    private func text(isFull: Bool) -> String {
        var text = "\(code): \(message)"
        var shownData: [String] = []
        func data(of error: any CairnError) -> String? {
            guard isFull, let userData = error.userData, !shownData.contains(userData) else { return nil }
            shownData.append(userData)
            return "(\(userData))"
        }
        if let data = data(of: self) { text += " \(data)" }
        var openBrackets = 0
        var next = cause
        while let error = next {
            let known = error as? any CairnError
            next = known?.cause
            var parts: [String] = []
            if let known {
                if !text.contains(known.message) { parts.append("\(known.code): \(known.message)") }
                if let data = data(of: known) { parts.append(data) }
            } else if error is SystemCallError {
                if !text.contains("\(error)") { parts.append("\(error)") }
            } else {
                parts.append(isFull ? "\(error)" : "\(type(of: error))")
            }
            guard !parts.isEmpty else { continue }
            text += " [" + parts.joined(separator: " ")
            openBrackets += 1
        }
        return text + String(repeating: "]", count: openBrackets)
    }
}
