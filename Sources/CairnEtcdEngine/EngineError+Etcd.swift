import CairnEngine

extension EngineError {
    /// Maps errors after which nothing was written.
    init(_ attempt: String, _ error: EtcdError) {
        let (code, remedy) = Self.meaning(of: error)
        self.init(code, "\(attempt): \(remedy)", cause: error.isCancelled ? nil : error, isOutcomeUnknown: false)
    }

    private static func meaning(of error: EtcdError) -> (Code, String) {
        switch error.code.rawValue {
        case _ where error.isCompacted:
            (.expired, "the server no longer has the state that was read (--auto-compaction-retention); begin again")
        case _ where error.isCancelled: (.cancelled, "the task was cancelled")
        case _ where error.isTooLong: (.tooLarge, "the server's response is too long; see the cause")
        case 7: (.permissionDenied, "the user lacks a permission; see 'URL, users, TLS' in the documentation of CairnEtcdEngine")
        case _ where error.message.contains("user name is empty"):
            (
                .permissionDenied,
                "the server requires authentication: name a user in the URL, as in etcd://USER@HOST:2379/PREFIX, and give the password"
            )
        case _ where error.isMistake:
            (.invalidArgument, "a certificate, or a file given for TLS, was rejected; see the cause")
        case _ where error.message.contains("authentication failed"):
            (.permissionDenied, "the server rejects the user; check the user name and the password")
        case _ where error.wantsAnotherToken: (.permissionDenied, "the server rejects the user; check the user name and the password")
        case _ where error.message.contains("too many operations"):
            (.tooLarge, "the server allows fewer operations (--max-txn-ops) than specified here (max-txn-ops in the URL); raise its flag")
        case _ where error.message.contains("too large") || error.message.contains("larger than max"):
            (
                .tooLarge,
                "the server allows smaller requests (--max-request-bytes) than specified here (max-request-bytes in the URL); raise its flag"
            )
        case _ where error.message.contains("space exceeded"):
            (.noSpace, "the server is out of space (--quota-backend-bytes); compact, defragment, and disarm the alarm")
        case _ where error.message.contains("corrupt"): (.corruption, "the server's data is damaged; restore a backup")
        case _ where error.isFromStranger:
            (
                .unavailable,
                "what answered is not etcd; check the host, the port, whether the URL needs etcds://, and what is in front of the servers; see the cause"
            )
        case _ where error.isRefusedCertificate:
            (
                .unavailable,
                "the server rejects this client's certificate, or asks for one; give both files in the URL (cert=… and key=…); see the cause"
            )
        case _ where error.mayDifferInTLS:
            (
                .unavailable,
                "the connection ended without an answer; check that the URL begins with etcds:// if the server uses TLS, and etcd:// if not; see the cause"
            )
        case _ where error.wantsAnotherAttempt: (.unavailable, "the server cannot be reached; see the cause")
        default: (.other, "the server reported an error; see the cause")
        }
    }
}
