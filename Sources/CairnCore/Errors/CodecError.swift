/// A failure to encode or decode a key or value.
public struct CodecError: CairnError {
    /// The kinds of codec failure. An open set: see ``CairnError``.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String { case truncated, trailingBytes, typeMismatch, outOfRange, malformed, invalidText, missingCodec, failed }
        private let kind: Kind
        public var description: String { kind.rawValue }

        /// The bytes end before the value does.
        public static let truncated = Code(kind: .truncated)
        /// Bytes are left over after the value.
        public static let trailingBytes = Code(kind: .trailingBytes)
        /// The bytes hold a value of another type.
        public static let typeMismatch = Code(kind: .typeMismatch)
        /// The value does not fit the requested type.
        public static let outOfRange = Code(kind: .outOfRange)
        /// The bytes do not follow the rules of the format.
        public static let malformed = Code(kind: .malformed)
        /// The bytes are not valid UTF-8.
        public static let invalidText = Code(kind: .invalidText)
        /// No codec is configured for the request.
        public static let missingCodec = Code(kind: .missingCodec)
        /// A coder given by the user or by Foundation failed; its error is the cause.
        public static let failed = Code(kind: .failed)
    }

    public let code: Code
    public let message: String
    public let userData: String?
    public let cause: (any Error)?

    /// Creates an error; only ``CairnError/fullDescription`` shows `userData`.
    public init(_ code: Code, _ message: String, userData: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.userData = userData
        self.cause = cause
    }
}
