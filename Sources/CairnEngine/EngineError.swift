public import CairnCore

/// An error of a ``StorageEngine``: what was attempted on which store, and the underlying error, if any.
public struct EngineError: CairnError {
    /// The kind of error.
    public let code: Code
    /// What was attempted on which store, and what can be done.
    public let message: String
    /// The key concerned, if known; shown only by `fullDescription`.
    public let userData: String?
    /// The underlying error, such as a `RocksError` or a `FileError`, if there is one.
    public let cause: (any Error)?
    /// Whether the commit that threw this may have been performed, or may still be; see ``Code/unavailable``.
    public let isOutcomeUnknown: Bool
    /// The key that another commit has changed, of a ``Code/conflict`` whose engine knows it.
    package private(set) var changedKey: [UInt8]?

    /// Makes an error; `userData` is shown only by `fullDescription`. By default, `isOutcomeUnknown` is true for ``Code/unavailable``, and false for all other
    /// codes.
    public init(_ code: Code, _ message: String, userData: String? = nil, cause: (any Error)? = nil, isOutcomeUnknown: Bool? = nil) {
        self.code = code
        self.isOutcomeUnknown = isOutcomeUnknown ?? (code == .unavailable)
        self.message = message
        self.userData = userData
        self.cause = cause
    }

    /// Makes the error of a commit that depends on a key that another commit has changed.
    package init(conflict message: String, key: [UInt8]?) {
        self.init(.conflict, message, userData: key.map { "key \($0)" })
        changedKey = key
    }
}

extension EngineError {
    /// The kinds of errors. An open set: any release may add some, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case conflict, tooLarge, corruption, foreignFile, ioError, noSpace, permissionDenied, isDirectory, readOnly, busy, closed,
                locked, notFound, notSupported, invalidArgument
            case unavailable, expired, cancelled, other
        }
        private let kind: Kind
        public var description: String { kind.rawValue }

        /// Data that the commit had read was changed by another commit in the meantime. Nothing was written: read again, and retry.
        public static let conflict = Code(kind: .conflict)
        /// A key, a value or a commit exceeds ``StorageEngine/limits``. Nothing was written; the message names both sizes.
        public static let tooLarge = Code(kind: .tooLarge)
        /// Stored data is damaged. Nothing is returned in its place.
        public static let corruption = Code(kind: .corruption)
        /// The path contains something other than a store of this engine. It was not changed.
        public static let foreignFile = Code(kind: .foreignFile)
        /// The file system or the device reported an error; see the cause. Nothing of a commit was written, except that if the device failed to sync,
        /// the whole commit may be visible, at once or when the store is opened again.
        public static let ioError = Code(kind: .ioError)
        /// The disk is full. Nothing of a commit was written.
        public static let noSpace = Code(kind: .noSpace)
        /// The file system does not allow it.
        public static let permissionDenied = Code(kind: .permissionDenied)
        /// There is a directory where a file should be.
        public static let isDirectory = Code(kind: .isDirectory)
        /// The engine was opened for reading only.
        public static let readOnly = Code(kind: .readOnly)
        /// The engine cannot be closed while views are held; the message has their number.
        public static let busy = Code(kind: .busy)
        /// The engine has been closed.
        public static let closed = Code(kind: .closed)
        /// The store is already open, in this process or another.
        public static let locked = Code(kind: .locked)
        /// There is no store at the path, and the engine's options say not to create one (`createIfMissing`). A missing key is `nil`, not this.
        public static let notFound = Code(kind: .notFound)
        /// The engine does not support the operation; see ``EngineLimits``.
        public static let notSupported = Code(kind: .notSupported)
        /// An argument is invalid; the message names it.
        public static let invalidArgument = Code(kind: .invalidArgument)
        /// The engine cannot be reached. From a commit whose ``EngineError/isOutcomeUnknown`` is true: its reply was lost, the engine could not find out what
        /// became of it, and so all of it may have been written, or nothing, or it may still be written. Commit again with the same
        /// ``EngineCommit/idempotencyID``, or read what is there. Local engines never throw this.
        public static let unavailable = Code(kind: .unavailable)
        /// A view is older than the engine keeps (``EngineLimits/maximumViewAge``), or its data cannot be read any more for another reason. Make another
        /// view; the latest data is not affected.
        public static let expired = Code(kind: .expired)
        /// The task was cancelled. Nothing of a commit was written: a commit that was sent is waited for. Local engines never throw this.
        public static let cancelled = Code(kind: .cancelled)
        /// None of the above; see the cause.
        public static let other = Code(kind: .other)
    }
}
