public import CairnCore

/// An error of a mapped store: what was attempted on which file, and the underlying cause if there is one.
///
/// ```swift
/// do {
///     try store.set(3, for: "launches")
/// } catch where error.code == .noSpace {
///     // The disk is full: the store is as it was.
/// }
/// ```
public struct MappedStoreError: CairnError {
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

extension MappedStoreError {
    /// The kinds of error. An open set: any release may add more, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case notFound, permissionDenied, isDirectory, ioError, noSpace, tooLarge, readOnly
            case corruption, foreignFile, unsupportedVersion, truncated, typeMismatch, codec
            case wrongKey, keyNeeded, busy, conflict, replaced, malformedInput, notSupported, closed, cancelled
        }
        private let kind: Kind
        public var description: String { kind.rawValue }

        /// There is no file at the path, or no directory to create one in. A missing key returns `nil` instead.
        public static let notFound = Code(kind: .notFound)
        /// The file system does not permit this process to open, create or write the file.
        public static let permissionDenied = Code(kind: .permissionDenied)
        /// There is a directory at the path.
        public static let isDirectory = Code(kind: .isDirectory)
        /// The value, or a part of the file that the operation needs, is damaged. Other values are still intact: see
        /// ``MappedStore/verify(progress:)``.
        public static let corruption = Code(kind: .corruption)
        /// The file is not a mapped store. It was not changed.
        public static let foreignFile = Code(kind: .foreignFile)
        /// The file was written by a newer release. It was not changed.
        public static let unsupportedVersion = Code(kind: .unsupportedVersion)
        /// The file was truncated while it was open. Close the store and open it again to recover what is left.
        public static let truncated = Code(kind: .truncated)
        /// The file system reported an error; ``MappedStoreError/cause`` says which.
        public static let ioError = Code(kind: .ioError)
        /// The disk or the user's quota is full. Nothing was changed.
        public static let noSpace = Code(kind: .noSpace)
        /// A key or value is too long, the store would exceed ``MappedStoreOptions/maximumSize``, or the file is too large to be mapped. Nothing was changed.
        public static let tooLarge = Code(kind: .tooLarge)
        /// The store was opened for reading only, or its file system is mounted read-only.
        public static let readOnly = Code(kind: .readOnly)
        /// The value is of a different type than requested, or is a number that does not fit that type.
        public static let typeMismatch = Code(kind: .typeMismatch)
        /// A value could not be encoded or decoded; ``MappedStoreError/cause`` says why.
        public static let codec = Code(kind: .codec)
        /// The store is encrypted with another key.
        public static let wrongKey = Code(kind: .wrongKey)
        /// The store is encrypted: set ``MappedStoreOptions/cipher``.
        public static let keyNeeded = Code(kind: .keyNeeded)
        /// The store is in use, and the operation requires it to be idle; the message says what is using it.
        public static let busy = Code(kind: .busy)
        /// Another store compacted the file, or replaced it in another way, during the operation. Nothing was changed: try again.
        public static let conflict = Code(kind: .conflict)
        /// Others removed, moved or replaced the file while the store was open. Changes made since then are not in the file at the path, and the store
        /// refuses more of them: close it and open it again. To keep its values, back it up first.
        ///
        /// Thrown by ``MappedStore/sync()``, ``MappedStore/verify(progress:)``, ``MappedStore/close()``, ``MappedStore/compact(progress:)`` and all other
        /// calls that rewrite the file; by changes that need more space in the file or the index, ``MappedStore/reserveCapacity(keyCount:size:)`` and each
        /// change of a `.synced` store; by every change once the store knows, also because a store was opened at the path in this process; and by
        /// sequences of changes.
        public static let replaced = Code(kind: .replaced)
        /// A file to import violates its format; the message says where.
        public static let malformedInput = Code(kind: .malformedInput)
        /// The operation is not supported here.
        public static let notSupported = Code(kind: .notSupported)
        /// The store has been closed.
        public static let closed = Code(kind: .closed)
        /// The task was cancelled during the operation.
        public static let cancelled = Code(kind: .cancelled)
    }
}

extension MappedStoreError.Code {
    /// The kind of store error that corresponds to a file system error.
    package init(_ error: FileError) {
        self =
            switch error.code {
            case .notFound: .notFound
            case .permissionDenied: .permissionDenied
            case .isDirectory: .isDirectory
            case .noSpace: .noSpace
            case .tooLarge: .tooLarge
            case .readOnly: .readOnly
            case .truncated: .truncated
            case .closed: .closed
            default: .ioError
            }
    }
}

extension MappedStoreError {
    /// Converts file system errors. The message of `error` says what was attempted on which path.
    ///
    /// Not inlined, to keep callers small.
    @inline(never)
    package init(_ error: FileError) {
        self.init(Code(error), error.message, cause: error)
    }

    /// Runs `body` and converts its file system errors.
    package static func translating<Value: ~Copyable>(_ body: () throws(FileError) -> Value) throws(MappedStoreError) -> Value {
        do { return try body() } catch { throw MappedStoreError(error) }
    }

    /// An error for a value of type `stored` that was requested as a `Wanted`.
    ///
    /// Not inlined, to keep callers small.
    @inline(never)
    @usableFromInline
    static func mismatch(_ stored: MappedValueType, _ wanted: any Any.Type) -> MappedStoreError {
        MappedStoreError(.typeMismatch, "the value is \(stored.phrase), which cannot be read as \(wanted)")
    }

    /// Returns this error with the key it is about.
    @inline(never)
    @usableFromInline
    func about(_ key: String) -> MappedStoreError {
        MappedStoreError(code, message, userData: userData ?? "key \"\(key)\"", cause: cause)
    }
}
