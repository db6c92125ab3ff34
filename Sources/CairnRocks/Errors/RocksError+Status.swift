import CRocks
import CairnCore

extension RocksError.Code {
    static let statusNumbers: [RocksError.Code: UInt8] = [
        .notFound: 1, .corruption: 2, .notSupported: 3, .readOnly: 3, .invalidArgument: 4, .ioError: 5, .noSpace: 5, .permissionDenied: 5,
        .isDirectory: 5, .notADirectory: 5, .tooLarge: 5, .locked: 5, .mergeInProgress: 6, .incomplete: 7, .shutdownInProgress: 8,
        .timedOut: 9, .aborted: 10, .busy: 11, .expired: 12, .tryAgain: 13, .compactionTooLarge: 14, .columnFamilyDropped: 15,
    ]

    /// The only mapping from the shim's codes; its table is tested.
    init(status code: UInt8) {
        self =
            switch UInt32(code) {
            case CRK_NOT_FOUND.rawValue: .notFound
            case CRK_CORRUPTION.rawValue: .corruption
            case CRK_NOT_SUPPORTED.rawValue: .notSupported
            case CRK_INVALID_ARGUMENT.rawValue, CRK_REFUSED.rawValue: .invalidArgument
            case CRK_IO_ERROR.rawValue: .ioError
            case CRK_MERGE_IN_PROGRESS.rawValue: .mergeInProgress
            case CRK_INCOMPLETE.rawValue: .incomplete
            case CRK_SHUTDOWN_IN_PROGRESS.rawValue: .shutdownInProgress
            case CRK_TIMED_OUT.rawValue: .timedOut
            case CRK_ABORTED.rawValue: .aborted
            case CRK_BUSY.rawValue, CRK_IN_USE.rawValue: .busy
            case CRK_EXPIRED.rawValue: .expired
            case CRK_TRY_AGAIN.rawValue: .tryAgain
            case CRK_COMPACTION_TOO_LARGE.rawValue: .compactionTooLarge
            case CRK_COLUMN_FAMILY_DROPPED.rawValue: .columnFamilyDropped
            case CRK_CLOSED.rawValue: .closed
            case CRK_LOG_TRUNCATED.rawValue: .logTruncated
            case CRK_OUT_OF_MEMORY.rawValue: .outOfMemory
            case CRK_WRONG_KEY.rawValue: .wrongKey
            case CRK_LOCKED.rawValue: .locked
            case CRK_NO_SPACE.rawValue: .noSpace
            case CRK_PERMISSION_DENIED.rawValue: .permissionDenied
            case CRK_IS_DIRECTORY.rawValue: .isDirectory
            case CRK_NOT_A_DIRECTORY.rawValue: .notADirectory
            case CRK_TOO_LARGE.rawValue: .tooLarge
            case CRK_NOT_WRITABLE.rawValue: .readOnly
            default: .unknown
            }
    }
}

extension RocksError {
    /// The error for a file that Cairn reads or writes itself; `attempt` describes the operation, unless the file's error already does.
    init(_ error: FileError, _ attempt: String? = nil) {
        let code: Code =
            switch error.code {
            case .notFound: .notFound
            case .noSpace: .noSpace
            case .permissionDenied, .readOnly: .permissionDenied
            case .isDirectory: .isDirectory
            case .notADirectory: .notADirectory
            case .tooLarge: .tooLarge
            case .outOfMemory: .outOfMemory
            default: .ioError
            }
        self.init(code, attempt.map { "\($0): \(error)" } ?? error.message, cause: error)
    }
}

/// Refuses a directory with a pipe, a device or a socket: RocksDB would wait for whatever writes to it.
///
/// - Complexity: Lists the directory.
func checkFiles(in directory: String, _ attempt: @autoclosure () -> String) throws(RocksError) {
    do throws(FileError) {
        try FileSystem.system.refuseSpecialFiles(in: directory)
    } catch {
        throw RocksError(.notSupported, "\(attempt()): \(error.message)", cause: error)
    }
}

/// Refuses text containing a zero byte, where C would end it.
func checkForZeroByte(in text: String, _ what: String) throws(RocksError) {
    guard !text.utf8.contains(0) else { throw RocksError(.invalidArgument, "the \(what) '\(text)' contains a zero byte") }
}

/// Refuses an object name that C would truncate, or that RocksDB could not read back from an options file.
func checkObjectName(_ name: String, _ what: String) throws(RocksError) {
    try checkForZeroByte(in: name, what)
    guard !name.utf8.contains(where: { ";{}=\r\n".utf8.contains($0) }) else {
        throw RocksError(
            .invalidArgument,
            "the \(what) '\(name)' contains one of ; { } = or a line break, which RocksDB's options files cannot represent"
        )
    }
}

/// The column family in which RocksDB stores statistics. RocksDB opens it itself (``DatabaseOptions/persistStatsToDisk``).
let persistentStatisticsName = "___rocksdb_stats_history___"

/// Refuses a column family name that C would truncate, the empty name (RocksDB would abort the process when it writes a file), and the name that
/// RocksDB reserves.
func checkColumnFamilyName(_ name: String) throws(RocksError) {
    guard name != persistentStatisticsName else {
        throw RocksError(.invalidArgument, "the column family '\(name)' belongs to RocksDB, for persistStatsToDisk")
    }
    guard !name.isEmpty else { throw RocksError(.invalidArgument, "the name of a column family cannot be empty") }
    try checkForZeroByte(in: name, "column family name")
}

extension crk_status {
    /// Whether the call succeeded.
    @inline(__always)
    var isOK: Bool { code == 0 }

    /// Throws unless the call succeeded; `attempt` describes the operation and its target. Frees the status either way.
    @inline(__always)
    func check(_ attempt: @autoclosure () -> String) throws(RocksError) {
        guard isOK else { throw error(attempt(), code: nil) }
    }

    /// Same as ``check(_:)`` for a call that opens a path given by the caller, which may be missing.
    func checkPath(_ attempt: @autoclosure () -> String) throws(RocksError) {
        guard isOK else { throw error(attempt(), code: isPathMissing ? .notFound : nil) }
    }

    /// Same as ``check(_:)`` for a call that creates something at a path whose directory may be missing.
    func check(creating path: String, _ attempt: @autoclosure () -> String) throws(RocksError) {
        guard !isOK else { return }
        let isMissing = isPathMissing && (try? FileSystem.system.stat(FileSystem.split(path).directory)) == nil
        throw error(attempt(), code: isMissing ? .notFound : nil, remedy: isMissing ? missingParent(of: path) : nil)
    }

    /// What to do if a path could not be created because a part of it is missing.
    func missingParent(of path: String) -> String? {
        let parent = FileSystem.split(path).directory
        let creation = "create the directory '\(parent.isEmpty ? "." : parent)' first"
        return switch FileSystem.parent(of: path) {
        case .missing: creation
        case .unexpanded: "\(creation), or give the path of the home directory: '~' is not expanded"
        // The missing directory may be another one, such as the log's.
        case .existing: text.contains("\(FileSystem.resolved(path)): ") ? "nothing can be created in the directory '\(parent)'" : nil
        }
    }

    /// Whether a file or directory is missing. Within a database, that is an I/O error like any other.
    var isPathMissing: Bool { code == UInt8(CRK_IO_ERROR.rawValue) && RocksError.Subcode(rawValue: subcode) == .pathNotFound }

    /// The error of a failed call. Frees the status.
    @inline(never)
    func error(_ attempt: String, code: RocksError.Code?, remedy: String? = nil) -> RocksError {
        defer { crk_status_free(self) }
        var text = attempt
        // RocksDB's text about a lock has details that do not help: the thread, the time, the system's message.
        let said = self.code == UInt8(CRK_LOCKED.rawValue) ? lockHolder : self.text
        if !said.isEmpty { text += ": \(said)" }
        if let remedy = remedy ?? usualRemedy { text += "; \(remedy)" }
        return RocksError(
            code ?? RocksError.Code(status: self.code),
            text,
            subcode: RocksError.Subcode(rawValue: subcode),
            severity: RocksError.Severity(rawValue: severity) ?? .unrecoverable,
            isRetryable: retryable
        )
    }
    /// RocksDB's or the shim's message, or an empty string.
    var text: String {
        guard let said = unsafe message else { return "" }
        return unsafe String(decoding: UnsafeRawBufferPointer(start: said, count: message_size), as: UTF8.self)
    }

    /// Who holds the lock. RocksDB knows the locks of its own process by name, and learns of other processes' locks from the system.
    private var lockHolder: String {
        text.contains("While lock file") ? "it is already open in another process" : "it is already open in this process"
    }

    /// The remedy for errors that do not depend on the call, such as locks, conflicts between transactions, or a full disk.
    private var usualRemedy: String? {
        switch (UInt32(code), RocksError.Subcode(rawValue: subcode)) {
        case (CRK_TIMED_OUT.rawValue, .lockTimeout), (CRK_TIMED_OUT.rawValue, .mutexTimeout):
            "another transaction holds the key; retry this one, or allow more time with lockTimeout"
        case (CRK_LOCKED.rawValue, _): "close it there first, or open it for reading only"
        case (CRK_PERMISSION_DENIED.rawValue, _): "check the owner and mode of the directory and of its files"
        case (CRK_NO_SPACE.rawValue, .spaceLimit): "delete data, or raise the limit with setMaxAllowedSpace"
        case (CRK_NO_SPACE.rawValue, _): "free space on the disk or raise the quota"
        case (CRK_BUSY.rawValue, .deadlock): "transactions wait for each other; roll this one back and retry it"
        case (CRK_BUSY.rawValue, .lockLimit): "all maximumLocks are in use; retry later, or raise the limit"
        case (CRK_BUSY.rawValue, _) where unsafe message == nil:
            "a key was changed since it was read or the snapshot was made; retry the transaction"
        case (CRK_TRY_AGAIN.rawValue, _): "retry the transaction, or raise maxWriteBufferSizeToMaintain"
        case (CRK_EXPIRED.rawValue, _): "it has expired, and others may hold its locks; retry the transaction"
        case (CRK_CORRUPTION.rawValue, _) where text.contains("Could not perform merge"):
            "the merge operator of the column family accepts neither the stored value nor the operands; put or delete the key to replace them"
        case (CRK_INVALID_ARGUMENT.rawValue, .transactionNotPrepared): "call prepare() first, as mustBePrepared asks"
        default: nil
        }
    }
}
