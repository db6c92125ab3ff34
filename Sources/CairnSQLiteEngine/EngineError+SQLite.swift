import CairnCore

#if canImport(SQLite3)
import SQLite3
#else
import CSQLite
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

extension EngineError {
    /// Maps errors of SQLite.
    init(_ attempt: String, _ error: SQLiteError) {
        let (code, remedy) = Self.meaning(of: error)
        self.init(code, "\(attempt): \(remedy)", cause: error)
    }

    /// Maps errors of system calls.
    init(_ attempt: String, _ error: SystemCallError) {
        let (code, remedy) = Self.meaning(ofErrno: error.errno)
        self.init(code, "\(attempt): \(remedy)", cause: error)
    }

    /// The error of a file at `path` that cannot be created.
    init(creating attempt: String, at path: String, _ error: SystemCallError) {
        guard error.errno == ENOENT else {
            self.init(attempt, error)
            return
        }
        self.init(.notFound, "\(attempt): \(FileSystem.parent(of: path).reason)", cause: error)
    }

    /// Refuses a path that no file can have.
    static func checkPath(_ path: String, _ attempt: @autoclosure () -> String) throws(EngineError) {
        if let flaw = FileSystem.flaw(in: path) { throw EngineError(.invalidArgument, "\(attempt()): \(flaw)") }
    }

    /// The error number of creating a file that exists.
    static var alreadyExists: Int32 { EEXIST }

    /// The code, and what can be done.
    static func meaning(of error: SQLiteError) -> (Code, String) {
        switch error.code.primary {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: (.busy, "another process kept the file locked; try again")
        case SQLITE_CORRUPT, SQLITE_NOTADB: damaged
        case SQLITE_IOERR where error.code.isWrongSum: damaged
        case SQLITE_IOERR where error.code.isChanged: (.expired, "another process has changed the store since; begin again")
        case SQLITE_ABORT: (.expired, "its view ended with an earlier error, and there have been other commits since; begin again")
        case SQLITE_FULL: (.noSpace, "the disk is full; free some space and try again")
        case SQLITE_TOOBIG: (.tooLarge, "SQLite cannot store a value this large")
        case SQLITE_READONLY where error.code.isMoved:
            (
                .notFound,
                "the file was moved or deleted; if it was moved, move its log, which has the same name followed by '-wal', with it"
            )
        case SQLITE_READONLY where error.code.isUnfinished:
            (
                .permissionDenied,
                "a process was killed while creating the store, and the files it left cannot be removed: check the mode of the file and its directory"
            )
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            (.permissionDenied, "the file system does not permit it; check the owner and mode of the file and its directory")
        case SQLITE_IOERR, SQLITE_CANTOPEN: meaning(ofErrno: error.errno)
        default: (.other, "SQLite failed; see the cause")
        }
    }

    private static let damaged = (Code.corruption, "the file is damaged; restore a backup")

    private static func meaning(ofErrno errno: Int32) -> (Code, String) {
        switch errno {
        case ENOSPC, EDQUOT: (.noSpace, "the disk is full; free some space and try again")
        case ENOENT: (.notFound, "there is no store at this path")
        case EISDIR: (.isDirectory, "there is a directory at this path")
        case EACCES, EPERM, EROFS:
            (.permissionDenied, "the file system does not permit it; check the owner and mode of the file and its directory")
        default: (.ioError, "the file system reported an error; see the cause")
        }
    }
}
