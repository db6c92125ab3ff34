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
            case notFound, corruption, foreignFile, unsupportedVersion, truncated, ioError, noSpace, limitExceeded, readOnly, typeMismatch,
                codec
            case wrongKey, keyNeeded, busy, conflict, malformedInput, notSupported, closed, cancelled
        }
        private let kind: Kind
        public var description: String { kind.rawValue }

        /// There is no file at the path, or no directory to create one in. A missing key returns `nil` instead.
        public static let notFound = Code(kind: .notFound)
        /// The value, or a part of the file that the operation needs, is damaged. Other values are still intact: see
        /// ``MappedStore/verify(progress:)``.
        public static let corruption = Code(kind: .corruption)
        /// The file is not a mapped store. It was not changed.
        public static let foreignFile = Code(kind: .foreignFile)
        /// The file was written by a newer release. It was not changed.
        public static let unsupportedVersion = Code(kind: .unsupportedVersion)
        /// The file was truncated while it was open. Close the store and open it again, which recovers what is left.
        public static let truncated = Code(kind: .truncated)
        /// The file system reported an error; ``MappedStoreError/cause`` says which.
        public static let ioError = Code(kind: .ioError)
        /// The disk is full. Nothing was changed.
        public static let noSpace = Code(kind: .noSpace)
        /// A key or value is too long, or the store would exceed ``MappedStoreOptions/maximumSize``. Nothing was changed.
        public static let limitExceeded = Code(kind: .limitExceeded)
        /// The store was opened for reading only, or the file may not be written.
        public static let readOnly = Code(kind: .readOnly)
        /// The value has another type than requested, or is a number that does not fit it.
        public static let typeMismatch = Code(kind: .typeMismatch)
        /// A value could not be encoded or decoded; ``MappedStoreError/cause`` says why.
        public static let codec = Code(kind: .codec)
        /// The store is encrypted with another key.
        public static let wrongKey = Code(kind: .wrongKey)
        /// The store is encrypted: set ``MappedStoreOptions/cipher``.
        public static let keyNeeded = Code(kind: .keyNeeded)
        /// The store is in use, and the operation requires it to be idle; the message says by what.
        public static let busy = Code(kind: .busy)
        /// Somebody else changed the same thing meanwhile.
        public static let conflict = Code(kind: .conflict)
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

extension MappedStoreError {
    /// Converts file system errors. The message of `error` says what was attempted on which path.
    package init(_ error: FileError) {
        let code: Code =
            switch error.code {
            case .notFound: .notFound
            case .noSpace: .noSpace
            case .truncated: .truncated
            case .readOnly, .permissionDenied: .readOnly
            case .closed: .closed
            case .tooLarge: .limitExceeded
            default: .ioError
            }
        self.init(code, error.message, cause: error)
    }

    /// Runs `body` and converts its file system errors.
    package static func translating<Value: ~Copyable>(_ body: () throws(FileError) -> Value) throws(MappedStoreError) -> Value {
        do { return try body() } catch { throw MappedStoreError(error) }
    }

    /// An error for a value of type `stored` that was requested as a `Wanted`.
    @inlinable
    static func mismatch<Wanted>(_ stored: MappedValueType, _ wanted: Wanted.Type) -> MappedStoreError {
        MappedStoreError(.typeMismatch, "the value is \(stored.phrase), which does not read as \(wanted)")
    }

    /// Returns this error with the key it is about.
    func about(_ key: String) -> MappedStoreError {
        MappedStoreError(code, message, userData: userData ?? "key \"\(key)\"", cause: cause)
    }
}
