public import CairnCore

/// A failure of a ``StorageEngine``: what was attempted on which store, and where there is one, the engine's own error underneath.
public struct EngineError: CairnError {
    /// What kind of failure this is.
    public let code: Code
    /// What was attempted on which store, and what can be done.
    public let message: String
    /// The key concerned, where one is known; shown only by `fullDescription`.
    public let userData: String?
    /// The error underneath, such as a `RocksError` or a `FileError`, if there is one.
    public let cause: (any Error)?

    /// Makes an error; `userData` is shown only by `fullDescription`.
    public init(_ code: Code, _ message: String, userData: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.userData = userData
        self.cause = cause
    }
}

extension EngineError {
    /// The kinds of failure. An open set: more may come in any release, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case conflict, tooLarge, corruption, ioError, noSpace, readOnly, busy, closed, locked, notFound, notSupported, invalidArgument
            case unavailable, cancelled, other
        }
        private let kind: Kind
        public var description: String { kind.rawValue }

        /// Something that the commit had read was changed by another meanwhile. Nothing was written: read anew, and try again.
        public static let conflict = Code(kind: .conflict)
        /// A key, a value or a commit exceeds ``StorageEngine/limits``. Nothing was written; the message names both sizes.
        public static let tooLarge = Code(kind: .tooLarge)
        /// Stored data are damaged. Nothing is returned in their place.
        public static let corruption = Code(kind: .corruption)
        /// The file system or the device refused; the cause tells why. Of a commit, nothing was written; only where the device failed to sync it,
        /// it may turn up, whole, when the store is opened again.
        public static let ioError = Code(kind: .ioError)
        /// The disk is full. Of a commit, nothing was written.
        public static let noSpace = Code(kind: .noSpace)
        /// The engine was opened for reading only.
        public static let readOnly = Code(kind: .readOnly)
        /// Something stands in the way of closing: views that are still held; the message counts them.
        public static let busy = Code(kind: .busy)
        /// The engine was closed before.
        public static let closed = Code(kind: .closed)
        /// The store is open already, in this process or another.
        public static let locked = Code(kind: .locked)
        /// There is no store at the path. A missing key is `nil`, not this.
        public static let notFound = Code(kind: .notFound)
        /// The engine cannot do that; ``EngineLimits`` tells so beforehand.
        public static let notSupported = Code(kind: .notSupported)
        /// An argument makes no sense; the message names it.
        public static let invalidArgument = Code(kind: .invalidArgument)
        /// The engine cannot be reached, and whether a commit took place is not known: commit it again with the same
        /// ``EngineCommit/idempotencyID``. Engines on the same machine never throw it.
        public static let unavailable = Code(kind: .unavailable)
        /// The task was cancelled, or the time given for a view is over.
        public static let cancelled = Code(kind: .cancelled)
        /// None of the above; the cause says more.
        public static let other = Code(kind: .other)
    }
}
