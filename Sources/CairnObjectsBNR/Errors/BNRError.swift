public import CairnCore

/// An error in reading or importing a BNRPersistence store: what was attempted on which file, class and row, and what can be done about it.
public struct BNRError: CairnError {
    /// The kind of error.
    public let code: Code
    /// What was attempted, and what can be done about it.
    public let message: String
    /// User data involved, if known; shown only by `fullDescription`.
    public let userData: String?
    /// The underlying error, if there is one.
    public let cause: (any Error)?

    public init(_ code: Code, _ message: String, userData: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.userData = userData
        self.cause = cause
    }
}

extension BNRError {
    /// The kinds of error. An open set: any release may add more, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case notFound, permissionDenied, isDirectory, ioError, foreignFile, notSupported, corruption, malformedRecord, invalidLayout
            case wrongPassphrase, storeFailed
        }
        private let kind: Kind
        public var description: String { kind.rawValue }

        /// The directory does not exist, or there is no file for a class.
        public static let notFound = Code(kind: .notFound)
        /// The file system does not allow reading a file or directory.
        public static let permissionDenied = Code(kind: .permissionDenied)
        /// There is a directory in place of a file.
        public static let isDirectory = Code(kind: .isDirectory)
        /// The file system reported another error; ``BNRError/cause`` says which.
        public static let ioError = Code(kind: .ioError)
        /// The file is not a Tokyo Cabinet database.
        public static let foreignFile = Code(kind: .foreignFile)
        /// The file is a Tokyo Cabinet database of a kind that BNRPersistence does not write.
        public static let notSupported = Code(kind: .notSupported)
        /// A file is damaged. Everything outside of the damage can be read.
        public static let corruption = Code(kind: .corruption)
        /// The bytes of an object do not match the layout.
        public static let malformedRecord = Code(kind: .malformedRecord)
        /// The layout is invalid, or does not match the store's classes.
        public static let invalidLayout = Code(kind: .invalidLayout)
        /// No object of a class can be decrypted.
        public static let wrongPassphrase = Code(kind: .wrongPassphrase)
        /// The store did not accept the objects; ``BNRError/cause`` says why. Nothing was stored.
        public static let storeFailed = Code(kind: .storeFailed)
    }
}

extension BNRError {
    /// Converts file system errors. The message of `error` says what was attempted on which path.
    init(_ error: FileError) {
        let code: Code =
            switch error.code {
            case .notFound: .notFound
            case .permissionDenied: .permissionDenied
            case .isDirectory: .isDirectory
            default: .ioError
            }
        self.init(code, error.message, cause: error)
    }
}
