import CairnRocks

extension EngineError {
    /// Maps errors of RocksDB.
    init(_ attempt: String, _ error: RocksError) {
        let place = error.message.contains("open in another process") ? "another process" : "this process"
        // RocksDB's binding says which directory is missing.
        let found = error.message.firstRange(of: "; create the directory ") ?? error.message.firstRange(of: "; nothing can be created in ")
        let missing = found.map { error.message[$0.lowerBound...] } ?? ""
        // It is about a file, and says all.
        let refusal = error.code == .notSupported ? error.cause as? FileError : nil
        let (code, remedy): (Code, String) =
            switch error.code {
            case .noSpace:
                (.noSpace, "free space on the disk and try again in a few seconds, or reopen the store")
            case .locked:
                (.locked, "it is already open in \(place); close it there first, or open it for reading only")
            case .corruption: (.corruption, "its data is damaged; restore a backup")
            case .ioError where error.severity >= .fatal, .tooLarge where error.severity >= .fatal:
                (.ioError, "the disk failed; nothing can be written until the store is reopened")
            // RocksDB's files reached the system's limit; the commit is not at fault.
            case .ioError, .tooLarge: (.ioError, "the file system reported an error; see the cause")
            case .permissionDenied: (.permissionDenied, "the file system does not permit it; check the owner and mode")
            case .isDirectory, .notADirectory: (.foreignFile, "the item at the path is not a store")
            case .notFound: (.notFound, "there is no store at this path\(missing)")
            case .busy: (.busy, "it still has views, including those of commits; release them first")
            case .readOnly: (.readOnly, "it was opened for reading only")
            case .closed, .shutdownInProgress: (.closed, "it is already closed")
            case .notSupported: (.notSupported, refusal?.message ?? "RocksDB does not support this; see the cause")
            case .invalidArgument, .invalidOption: (.invalidArgument, "an option or argument is invalid; see the cause")
            default: (.other, "RocksDB failed; see the cause")
            }
        self.init(code, "\(attempt): \(remedy)", userData: error.userData, cause: refusal ?? error)
    }

    /// Runs `body`, translating errors of RocksDB during `attempt`.
    static func translating<Value>(_ attempt: @autoclosure () -> String, _ body: () throws(RocksError) -> Value) throws(EngineError)
        -> Value
    {
        do { return try body() } catch { throw EngineError(attempt(), error) }
    }
}
