public import CairnCore

/// An error of an object store: what was attempted, on which class and row if there is one, and what can be done about it.
public struct ObjectStoreError: CairnError {
    /// The kind of failure.
    public let code: Code
    /// What was attempted, and what can be done.
    public let message: String
    /// The object concerned.
    public let object: ObjectID?
    /// User data; shown only by `fullDescription`.
    public let userData: String?
    /// The `EngineError`, ``RecordError`` or other error underneath, if there is one.
    public let cause: (any Error)?
    /// The most objects that cannot be read because of it, if it is the damage of a page.
    package var objectCount = 1

    public init(_ code: Code, _ message: String, object: ObjectID? = nil, userData: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.object = object
        self.userData = userData
        self.cause = cause
    }

    /// Whether the save that threw this may have been performed, or may still be; see ``Code/unavailable``.
    public var isOutcomeUnknown: Bool { code == .unavailable && (cause as? EngineError)?.isOutcomeUnknown != false }
}

extension ObjectStoreError {
    /// The kinds of failure. An open set: any release may add more, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case notFound, objectNotFound, corruption, foreignFile, unsupportedVersion, locked, readOnly, busy, closed, conflict
            case ioError, noSpace, permissionDenied, isDirectory
            case unknownClass, schemaMismatch, notUnique, deletionDenied, tooLarge, invalidPredicate, malformedQuery, notSupported
            case typeMismatch, migrationFailed, cancelled, wrongKey, keyNeeded, changeUnfinished, shredded, invalidArgument
            case expired, unavailable, outOfRange, moved
        }
        private let kind: Kind
        public var description: String { kind.rawValue }

        /// There is no store at the path.
        public static let notFound = Code(kind: .notFound)
        /// The object no longer exists, or does not belong to the context.
        public static let objectNotFound = Code(kind: .objectNotFound)
        /// A record, an index or the catalog is damaged. Other objects can still be read: see ``ObjectStore/verify(progress:)``. ``ObjectStore/rebuildIndexes(progress:)`` repairs
        /// indexes.
        public static let corruption = Code(kind: .corruption)
        /// The path, or the engine, contains something that is not an object store. It was not changed.
        public static let foreignFile = Code(kind: .foreignFile)
        /// The store was written by a newer release, or by a newer version of the program. It was not changed.
        public static let unsupportedVersion = Code(kind: .unsupportedVersion)
        /// The store is already open, in this process or another.
        public static let locked = Code(kind: .locked)
        /// The store, or the context, is read-only.
        public static let readOnly = Code(kind: .readOnly)
        /// The store is in use, but the operation needs it idle; the message says what uses it.
        public static let busy = Code(kind: .busy)
        /// The store or the context has been closed.
        public static let closed = Code(kind: .closed)
        /// Another context has changed or deleted the same object since it was read, or something else that ``ObjectStore/write(attempts:_:)`` depends on. Nothing
        /// was saved; ``ObjectStoreError/object`` is what was changed, if it is known. From ``ObjectStore/close()``: an object was
        /// changed after its context was closed or released; the store was closed.
        public static let conflict = Code(kind: .conflict)
        /// The engine failed; ``ObjectStoreError/cause`` has the reason.
        public static let ioError = Code(kind: .ioError)
        /// The disk is full. Nothing was saved.
        public static let noSpace = Code(kind: .noSpace)
        /// The file system does not permit the operation.
        public static let permissionDenied = Code(kind: .permissionDenied)
        /// There is a directory where a file should be.
        public static let isDirectory = Code(kind: .isDirectory)
        /// The object was made unreadable, with its group, by ``ObjectStore/shred(_:progress:)``. It can be deleted.
        public static let shredded = Code(kind: .shredded)
        /// The store was opened without this class.
        public static let unknownClass = Code(kind: .unknownClass)
        /// A class does not match the store's description of it, or two classes do not match each other.
        public static let schemaMismatch = Code(kind: .schemaMismatch)
        /// The value stored under a name has another type than the one asked for.
        public static let typeMismatch = Code(kind: .typeMismatch)
        /// A step of ``ObjectStoreOptions/migrations`` threw an error, which is ``ObjectStoreError/cause``. Nothing of the step, or of its last
        /// batch, was saved.
        public static let migrationFailed = Code(kind: .migrationFailed)
        /// Another object has the same values in a unique index. Nothing was saved.
        public static let notUnique = Code(kind: .notUnique)
        /// A relationship with the rule ``DeleteRule/deny`` still leads to objects.
        public static let deletionDenied = Code(kind: .deletionDenied)
        /// An object or a save is larger than the engine allows.
        public static let tooLarge = Code(kind: .tooLarge)
        /// A predicate cannot be evaluated by the store; the message names the part.
        public static let invalidPredicate = Code(kind: .invalidPredicate)
        /// A full-text query or the text of a condition cannot be parsed; ``ObjectStoreError/cause`` is the `TextQueryError` or
        /// ``ConditionTextError`` that says where.
        public static let malformedQuery = Code(kind: .malformedQuery)
        /// The engine or this release does not support the operation.
        public static let notSupported = Code(kind: .notSupported)
        /// The store is encrypted with another key, or is not encrypted at all, as the message says.
        public static let wrongKey = Code(kind: .wrongKey)
        /// The store is encrypted: give its key in ``ObjectStoreOptions/cipher``.
        public static let keyNeeded = Code(kind: .keyNeeded)
        /// A change of the store's encryption ended early: continue it with ``ObjectStore/rekey(opening:classes:from:to:name:progress:)``. Or the store is
        /// a copy whose move is not complete: run ``ObjectStoreMove`` again.
        public static let changeUnfinished = Code(kind: .changeUnfinished)
        /// An argument is invalid, such as a path for a copy where something already exists; the message says which.
        public static let invalidArgument = Code(kind: .invalidArgument)
        /// The engine no longer keeps the state of the store that was to be read (`EngineLimits.maximumViewAge`). Call ``ObjectContext/refresh()`` and repeat
        /// what failed; run the closure of ``ObjectStore/read(_:)`` again. ``ObjectStore/write(attempts:_:)`` does so by itself.
        public static let expired = Code(kind: .expired)
        /// The engine cannot be reached. From a save whose ``ObjectStoreError/isOutcomeUnknown`` is true: whether it was performed is unknown; otherwise nothing
        /// was saved. Look at what the store has, with ``ObjectStore/read(_:)``, once the engine can be reached again. If the context saves its changes again,
        /// and the first save was performed, the second throws ``conflict`` or follows the ``ConflictPolicy``; nothing is stored twice.
        public static let unavailable = Code(kind: .unavailable)
        /// The result of an aggregate, such as a sum, does not fit its type.
        public static let outOfRange = Code(kind: .outOfRange)
        /// The store was moved to another engine, which the message names (``ObjectStoreMove``): nothing can be saved here any more.
        public static let moved = Code(kind: .moved)
        /// The task was cancelled before the work was done. Nothing of a save was written.
        public static let cancelled = Code(kind: .cancelled)
    }

    /// The one mapping from failures of the engine.
    package init(_ error: EngineError) {
        let code: Code =
            switch error.code {
            case .notFound: .notFound
            case .corruption: .corruption
            case .locked: .locked
            case .readOnly: .readOnly
            case .busy: .busy
            case .closed: .closed
            case .conflict: .conflict
            case .noSpace: .noSpace
            case .foreignFile: .foreignFile
            case .permissionDenied: .permissionDenied
            case .isDirectory: .isDirectory
            case .tooLarge: .tooLarge
            case .notSupported: .notSupported
            case .invalidArgument: .invalidArgument
            case .cancelled: .cancelled
            case .expired: .expired
            case .unavailable: .unavailable
            default: .ioError
            }
        // For a lock, the message says everything, and the cause has advice for the engine.
        self.init(code, error.message, cause: code == .locked ? nil : error)
    }

    /// Runs `body`, whose failures are failures of the engine.
    static func translating<Value>(_ body: () throws(EngineError) -> Value) throws(ObjectStoreError) -> Value {
        do { return try body() } catch { throw ObjectStoreError(error) }
    }
}

extension ObjectStoreError.Code {
    /// The error of an object whose record cannot be read.
    init(_ cause: RecordError?) {
        switch cause?.code {
        case .unknownClass?: self = .unknownClass
        case .shredded?: self = .shredded
        default: self = .corruption
        }
    }
}
