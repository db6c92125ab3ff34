import CairnRocks

extension EngineError {
    /// Maps errors of RocksDB.
    init(_ attempt: String, _ error: RocksError) {
        let (code, remedy): (Code, String) =
            switch error.code {
            case .ioError where error.subcode == .noSpace || error.subcode == .spaceLimit:
                (.noSpace, "free space on the disk and try again some seconds later, or open the store again")
            case .locked: (.locked, "it is open already, in this process or another; close it there first")
            case .corruption: (.corruption, "what is stored there is damaged; restore a backup")
            case .ioError where error.severity >= .fatal:
                (.ioError, "the disk failed, and nothing can be written until the store is opened again")
            case .ioError: (.ioError, "the file system refused; the cause tells why")
            case .databaseNotFound, .notFound: (.notFound, "there is no store there; createIfMissing has it made")
            case .busy: (.busy, "views of it are still held, also by commits; let go of them first")
            case .closed, .shutdownInProgress: (.closed, "it was closed before")
            case .notSupported: (.notSupported, "RocksDB cannot do that; the cause tells why")
            case .invalidArgument, .invalidOption: (.invalidArgument, "an option or argument is refused; the cause tells which")
            default: (.other, "RocksDB failed; the cause tells why")
            }
        self.init(code, "\(attempt): \(remedy)", userData: error.userData, cause: error)
    }

    /// Runs `body`, translating errors of RocksDB during `attempt`.
    static func translating<Value>(_ attempt: @autoclosure () -> String, _ body: () throws(RocksError) -> Value) throws(EngineError)
        -> Value
    {
        do { return try body() } catch { throw EngineError(attempt(), error) }
    }
}
