/// A failed operation on a file or directory.
public struct FileError: CairnError {
    /// The kinds of file failure. An open set: see ``CairnError``.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case notFound, alreadyExists, permissionDenied, readOnly, noSpace, isDirectory, notADirectory, notEmpty, ioError, locked
            case tooLarge, invalidPath, truncated, tooManyOpenFiles, outOfMemory, crossesFileSystems, notSupported, closed, other
        }
        private let kind: Kind
        public var description: String { kind.rawValue }

        /// The file, or a directory on the way to it, does not exist.
        public static let notFound = Code(kind: .notFound)
        /// Something already exists where something new was to be created.
        public static let alreadyExists = Code(kind: .alreadyExists)
        /// The process does not have permission for the operation.
        public static let permissionDenied = Code(kind: .permissionDenied)
        /// The file system is mounted read-only.
        public static let readOnly = Code(kind: .readOnly)
        /// The disk or the user's quota is full.
        public static let noSpace = Code(kind: .noSpace)
        /// There is a directory where a file was expected.
        public static let isDirectory = Code(kind: .isDirectory)
        /// There is a file where a directory was expected.
        public static let notADirectory = Code(kind: .notADirectory)
        /// The directory to be removed or replaced is not empty.
        public static let notEmpty = Code(kind: .notEmpty)
        /// The device failed. After a failed write or sync, the state of the latest writes to the file is unknown.
        public static let ioError = Code(kind: .ioError)
        /// Another process, or another store in this process, holds the lock.
        public static let locked = Code(kind: .locked)
        /// The file is or would become larger than the file system or the address space allows.
        public static let tooLarge = Code(kind: .tooLarge)
        /// The path is empty, too long, contains a zero byte, or has a loop of symbolic links.
        public static let invalidPath = Code(kind: .invalidPath)
        /// The file ends before the requested bytes.
        public static let truncated = Code(kind: .truncated)
        /// The process or the system has too many files open.
        public static let tooManyOpenFiles = Code(kind: .tooManyOpenFiles)
        /// Memory or address space is exhausted.
        public static let outOfMemory = Code(kind: .outOfMemory)
        /// A rename between two file systems, which cannot be atomic.
        public static let crossesFileSystems = Code(kind: .crossesFileSystems)
        /// The file or its file system does not support the operation: mapping a pipe, for example.
        public static let notSupported = Code(kind: .notSupported)
        /// The object was already closed, finished or cancelled.
        public static let closed = Code(kind: .closed)
        /// None of the above; the cause says more.
        public static let other = Code(kind: .other)
    }

    public let code: Code
    public let message: String
    public let userData: String? = nil
    public let cause: (any Error)?

    /// Creates an error whose message says what was attempted on which path, and what can be done.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The underlying system call that failed, if there is one.
    public var systemCall: SystemCallError? { cause as? SystemCallError }
}
