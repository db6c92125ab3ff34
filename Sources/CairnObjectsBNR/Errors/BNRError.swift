public import CairnCore

/// A failure to read what BNRPersistence wrote, or to store it: what was attempted, on which file, class and row, and what can be done.
public struct BNRError: CairnError {
    /// What kind of failure this is.
    public let code: Code
    /// What was attempted, and what can be done.
    public let message: String
    /// Values of the user's; shown only by `fullDescription`.
    public let userData: String?
    /// The error underneath, if there is one.
    public let cause: (any Error)?

    public init(_ code: Code, _ message: String, userData: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.userData = userData
        self.cause = cause
    }
}

extension BNRError {
    /// The kinds of failure. An open set: more may come in any release, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case notFound, ioError, foreignFile, notSupported, corruption, malformedRecord, invalidLayout, wrongPassphrase, storeFailed
        }
        private let kind: Kind
        public var description: String { kind.rawValue }

        /// There is no such directory, or no file for a class.
        public static let notFound = Code(kind: .notFound)
        /// A file cannot be read; ``BNRError/cause`` tells why.
        public static let ioError = Code(kind: .ioError)
        /// The file is no database of Tokyo Cabinet.
        public static let foreignFile = Code(kind: .foreignFile)
        /// The file is a database of Tokyo Cabinet of a kind that BNRPersistence does not write.
        public static let notSupported = Code(kind: .notSupported)
        /// A file is damaged. What is outside of the damage can be read.
        public static let corruption = Code(kind: .corruption)
        /// The bytes of an object are not what the layout says.
        public static let malformedRecord = Code(kind: .malformedRecord)
        /// The layout makes no sense, or does not go with the store's classes.
        public static let invalidLayout = Code(kind: .invalidLayout)
        /// No object of a class can be decrypted.
        public static let wrongPassphrase = Code(kind: .wrongPassphrase)
        /// The store refused the objects; ``BNRError/cause`` tells why. Nothing was stored.
        public static let storeFailed = Code(kind: .storeFailed)
    }
}
