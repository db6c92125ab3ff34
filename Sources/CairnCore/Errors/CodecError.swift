/// A failure to turn a key or value into bytes or back.
public struct CodecError: CairnError {
    /// The kinds of codec failure. An open set: see ``CairnError``.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String { case truncated, trailingBytes, wrongType, outOfRange, malformed, invalidText, missingCodec, failed }
        private let kind: Kind
        public var description: String { kind.rawValue }

        /// The bytes end before the value does.
        public static let truncated = Code(kind: .truncated)
        /// Bytes are left over behind the value.
        public static let trailingBytes = Code(kind: .trailingBytes)
        /// The bytes hold a value of another type.
        public static let wrongType = Code(kind: .wrongType)
        /// The value does not fit the type asked for.
        public static let outOfRange = Code(kind: .outOfRange)
        /// The bytes follow no rule of the format.
        public static let malformed = Code(kind: .malformed)
        /// The bytes are not valid UTF-8.
        public static let invalidText = Code(kind: .invalidText)
        /// No codec is configured for what was asked.
        public static let missingCodec = Code(kind: .missingCodec)
        /// A coder given by the user or by Foundation failed; its error is the cause.
        public static let failed = Code(kind: .failed)
    }

    public let code: Code
    public let message: String
    public let userData: String?
    public let cause: (any Error)?

    /// Makes an error; `userData` is shown only by ``CairnError/fullDescription``.
    public init(_ code: Code, _ message: String, userData: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.userData = userData
        self.cause = cause
    }
}
