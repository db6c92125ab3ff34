public import CairnCore

/// An error of an inspector.
public struct InspectorError: CairnError {
    /// The kind of error.
    public let code: Code
    /// What was attempted, and what can be done about it.
    public let message: String
    /// Always `nil`.
    public var userData: String? { nil }
    /// The underlying error, if there is one.
    public let cause: (any Error)?

    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The kinds of error. An open set: any release may add more, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String { case invalidOption, locked, permissionDenied, ioError, closed }
        private let kind: Kind
        public var description: String { kind.rawValue }

        /// An option has an invalid value.
        public static let invalidOption = Code(kind: .invalidOption)
        /// Another program listens on the port.
        public static let locked = Code(kind: .locked)
        /// The system does not allow the port or the address.
        public static let permissionDenied = Code(kind: .permissionDenied)
        /// The system reported another error; ``InspectorError/cause`` says which.
        public static let ioError = Code(kind: .ioError)
        /// The inspector has run already.
        public static let closed = Code(kind: .closed)
    }
}
