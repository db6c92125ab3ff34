public import CairnCore

/// An error in reading or writing a constant database: what was attempted on which file, and the underlying cause if there is one.
///
/// ```swift
/// do {
///     try store.save()
/// } catch where error.code == .noSpace {
///     // The disk is full: the old file is as it was, and the changes are still in memory.
/// }
/// ```
public struct CDBError: CairnError {
    /// The kind of error.
    public let code: Code
    /// What was attempted on which file, and what can be done about it.
    public let message: String
    /// The key involved, if known; shown only by `fullDescription`.
    public let userData: String?
    /// The underlying `FileError` or `CodecError`, if there is one.
    public let cause: (any Error)?

    /// Creates an error; `userData` is shown only by `fullDescription`.
    public init(_ code: Code, _ message: String, userData: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.userData = userData
        self.cause = cause
    }
}

extension CDBError {
    /// The kinds of error. An open set: any release may add more, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case notFound, corruption, foreignFile, ioError, noSpace, permissionDenied, isDirectory, notADirectory, tooLarge, busy,
                conflict,
                codec
            case malformedText, incompleteText, notSupported, closed, cancelled
        }
        private let kind: Kind
        public var description: String { kind.rawValue }

        /// There is no file at the path, or no directory to create one in. A missing key returns `nil` instead.
        public static let notFound = Code(kind: .notFound)
        /// The file is damaged, or is not a constant database: the format has no magic number to tell which. Nothing is returned in place of missing
        /// data.
        public static let corruption = Code(kind: .corruption)
        /// The file is known to be of another format: a mapped store, an SQLite database.
        public static let foreignFile = Code(kind: .foreignFile)
        /// The file system reported an error; ``CDBError/cause`` says which.
        public static let ioError = Code(kind: .ioError)
        /// The disk or the user's quota is full.
        public static let noSpace = Code(kind: .noSpace)
        /// The file system does not permit the operation, because of a file's owner and mode or because it is mounted read-only.
        public static let permissionDenied = Code(kind: .permissionDenied)
        /// There is a directory at the path.
        public static let isDirectory = Code(kind: .isDirectory)
        /// A part of the path that should be a directory is a file.
        public static let notADirectory = Code(kind: .notADirectory)
        /// The file would exceed the limit of its format (4 GiB for ``CDBDialect/standard``) or of the system. Nothing was written past the limit.
        public static let tooLarge = Code(kind: .tooLarge)
        /// The store cannot be changed within the closure of ``CDBStore/update(_:default:_:)``.
        public static let busy = Code(kind: .busy)
        /// Another process or store replaced the file since it was read.
        public static let conflict = Code(kind: .conflict)
        /// A key or value could not be encoded or decoded; ``CDBError/cause`` is the `CodecError`.
        public static let codec = Code(kind: .codec)
        /// Text to parse as records violates its format; the message names the record.
        public static let malformedText = Code(kind: .malformedText)
        /// Text to parse as records ends within one.
        public static let incompleteText = Code(kind: .incompleteText)
        /// The operation is not supported here: lending memory of a file that is not mapped.
        public static let notSupported = Code(kind: .notSupported)
        /// The writer has been finished or cancelled, or the store has been closed.
        public static let closed = Code(kind: .closed)
        /// The task was cancelled during the operation.
        public static let cancelled = Code(kind: .cancelled)
    }
}

extension CDBError {
    /// Converts file system errors. The message of `error` says what was attempted on which path.
    init(_ error: FileError) {
        let code: Code =
            switch error.code {
            case .notFound: .notFound
            case .noSpace: .noSpace
            case .permissionDenied, .readOnly: .permissionDenied
            case .isDirectory: .isDirectory
            case .notADirectory: .notADirectory
            case .tooLarge: .tooLarge
            case .truncated: .corruption
            case .closed: .closed
            default: .ioError
            }
        self.init(code, error.message, cause: error)
    }

    @usableFromInline
    static func codec(_ attempt: String, _ cause: CodecError) -> CDBError {
        CDBError(.codec, attempt, cause: cause)
    }

    /// Runs `body` and converts its file system errors.
    static func translating<Value: ~Copyable>(_ body: () throws(FileError) -> Value) throws(CDBError) -> Value {
        do { return try body() } catch { throw CDBError(error) }
    }
}
