import CairnEngine

extension EngineError {
    /// Maps errors after which nothing was written.
    init(_ attempt: String, _ error: PostgresError) {
        let (code, remedy) = Self.meaning(of: error)
        self.init(code, "\(attempt): \(remedy)", cause: error.isCancelled ? nil : error, isOutcomeUnknown: false)
    }

    private static func meaning(of error: PostgresError) -> (Code, String) {
        switch error.code.rawValue {
        case _ where error.isMistake:
            (
                .invalidArgument,
                "a parameter of the URL, or a file that it names, was rejected, or the server does not meet it; see the cause"
            )
        case _ where error.lacksPassword:
            (
                .permissionDenied,
                "the server rejects the user: the password is missing, and PGPASSWORD and ~/.pgpass have none either"
            )
        case "28P01", "28000":
            (.permissionDenied, "the server rejects the user; check the user name and the password, and the server's pg_hba.conf")
        case "42501": (.permissionDenied, "the user lacks a privilege; see Privileges in the documentation of CairnPostgresEngine")
        // Unlike a store, it is not created.
        case "3D000": (.invalidArgument, "the server has no such database; create it, or name another one in the URL")
        case "3F000", "42P01": (.notFound, "there is no such store")
        case "25006":
            (
                .readOnly,
                "the server is a standby, or the user has read access only; select another server with target_session_attrs=read-write"
            )
        case "42703", "42883": (.corruption, "the store is incomplete: something in its schema was dropped or renamed; restore it")
        case "53100": (.noSpace, "the server's disk is full")
        case "53300":
            (.unavailable, "the server allows no more connections; close some, or raise max_connections or the user's limit; see the cause")
        case "54000": (.tooLarge, "PostgreSQL cannot store a key or value this large")
        case "57014": (.unavailable, "the server did not finish in time; try again")
        case "57P01", "57P02", "57P03": (.unavailable, "the server is starting or stopping; see the cause")
        case "58030": (.ioError, "the server's file system reported an error; see the cause")
        case "P0002": (.corruption, "a row that every store has is missing; restore a backup")
        case "XX001", "XX002": (.corruption, "the server's data is damaged; restore a backup")
        case _ where error.isCancelled: (.cancelled, "the task was cancelled")
        case _ where error.isReplaced: (.unavailable, "the store was deleted or replaced by another one while it was open; open it again")
        case _ where error.isUnsuitable:
            (.unavailable, "no reachable server accepts writes, as target_session_attrs requires; see the cause")
        case _ where error.isFromStranger:
            (.unavailable, "what answers there is not PostgreSQL; check the host and the port; see the cause")
        case _ where error.wantsOtherConnection: (.unavailable, "the server cannot be reached; see the cause")
        default: (.other, "the server reported an error; see the cause")
        }
    }
}
