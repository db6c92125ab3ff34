public import CairnCore

/// A failure of a mapped store: what was attempted on which file, and where there is one, the cause underneath.
///
/// ```swift
/// do {
///     try store.set(3, for: "launches")
/// } catch where error.code == .noSpace {
///     // The disk is full: the store is as it was.
/// }
/// ```
public struct MappedStoreError: CairnError {
    /// What kind of failure this is.
    public let code: Code
    /// What was attempted on which file, and what can be done.
    public let message: String
    /// The key concerned, where one is known; shown only by `fullDescription`.
    public let userData: String?
    /// The `FileError` or `CodecError` underneath, if there is one.
    public let cause: (any Error)?

    /// Makes an error; `userData` is shown only by `fullDescription`.
    public init(_ code: Code, _ message: String, userData: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.userData = userData
        self.cause = cause
    }
}

extension MappedStoreError {
    /// The kinds of failure. An open set: more may come in any release, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case notFound, corruption, foreignFile, unsupportedVersion, truncated, ioError, noSpace, limitExceeded, readOnly, typeMismatch,
                codec
            case wrongKey, keyNeeded, busy, conflict, malformedInput, notSupported, closed, cancelled
        }
        private let kind: Kind
        public var description: String { kind.rawValue }

        /// There is no file at the path, or no directory to put one in. A missing key is `nil`, not this.
        public static let notFound = Code(kind: .notFound)
        /// The value, or what the operation needs of the file, is damaged. Other values are still there: see ``MappedStore/verify(progress:)``.
        public static let corruption = Code(kind: .corruption)
        /// The file is not a mapped store. It was left alone.
        public static let foreignFile = Code(kind: .foreignFile)
        /// A newer release made the file. It was left alone.
        public static let unsupportedVersion = Code(kind: .unsupportedVersion)
        /// Somebody cut the file short while it was open. Close the store and open it again: what is left of it is found then.
        public static let truncated = Code(kind: .truncated)
        /// The file system refused; ``MappedStoreError/cause`` tells why.
        public static let ioError = Code(kind: .ioError)
        /// The disk is full. Nothing was changed.
        public static let noSpace = Code(kind: .noSpace)
        /// A key or value is too long, or the store would outgrow ``MappedStoreOptions/maximumSize``. Nothing was changed.
        public static let limitExceeded = Code(kind: .limitExceeded)
        /// The store was opened for reading only, or the file may not be written.
        public static let readOnly = Code(kind: .readOnly)
        /// The value is of another type than asked for, or a number that does not fit it.
        public static let typeMismatch = Code(kind: .typeMismatch)
        /// A value could not be encoded or decoded; ``MappedStoreError/cause`` tells why.
        public static let codec = Code(kind: .codec)
        /// The store is encrypted with another key.
        public static let wrongKey = Code(kind: .wrongKey)
        /// The store is encrypted: give its key in ``MappedStoreOptions/cipher``.
        public static let keyNeeded = Code(kind: .keyNeeded)
        /// The store is in use where the operation needs it idle; the message says by what.
        public static let busy = Code(kind: .busy)
        /// Somebody else changed what was to be changed meanwhile.
        public static let conflict = Code(kind: .conflict)
        /// A file to be imported breaks the rules of its format; the message says where.
        public static let malformedInput = Code(kind: .malformedInput)
        /// The operation does not exist here.
        public static let notSupported = Code(kind: .notSupported)
        /// The store was closed before.
        public static let closed = Code(kind: .closed)
        /// The task was cancelled while it worked.
        public static let cancelled = Code(kind: .cancelled)
    }
}

extension MappedStoreError {
    /// The one mapping from failures of the file system. The message of `error` says what was attempted on which path.
    init(_ error: FileError) {
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

    /// Runs `body`, whose failures are failures of the file system.
    static func translating<Value: ~Copyable>(_ body: () throws(FileError) -> Value) throws(MappedStoreError) -> Value {
        do { return try body() } catch { throw MappedStoreError(error) }
    }

    /// A value of the type `stored` was asked for as a `Wanted`.
    @inlinable
    static func mismatch<Wanted>(_ stored: MappedValueType, _ wanted: Wanted.Type) -> MappedStoreError {
        MappedStoreError(.typeMismatch, "the value is \(stored.phrase), which does not read as \(wanted)")
    }

    /// This error, telling the key it is about.
    func about(_ key: String) -> MappedStoreError {
        MappedStoreError(code, message, userData: userData ?? "key \"\(key)\"", cause: cause)
    }
}
