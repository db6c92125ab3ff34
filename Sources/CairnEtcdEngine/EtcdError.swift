public import CairnCore

/// An error of the server, or of libcurl on the way to it: the `cause` of an `EngineError` of an ``EtcdEngine``.
public struct EtcdError: CairnError {
    /// A gRPC status. See <https://grpc.github.io/grpc/core/md_doc_statuscodes.html>.
    public struct Code: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        public var description: String { rawValue < 0 ? "libcurl" : "gRPC status \(rawValue)" }
    }

    /// What the server reported; negative if the error is from libcurl.
    public let code: Code
    /// The text of the server or of libcurl, which contains no password.
    public let message: String
    /// Always `nil`.
    public let userData: String?
    /// Always `nil`.
    public let cause: (any Error)?
    /// Whether the request may have been performed, or may still be.
    let mayBePerformed: Bool
    /// Whether a certificate was rejected, or its file cannot be read.
    let isMistake: Bool
    /// Whether the server may expect TLS from a client that does not use it, or the opposite.
    let mayDifferInTLS: Bool

    init(_ code: Int, _ message: String, mayBePerformed: Bool, isMistake: Bool = false, mayDifferInTLS: Bool = false) {
        self.code = Code(rawValue: code)
        self.message = message
        self.mayBePerformed = mayBePerformed
        self.isMistake = isMistake
        self.mayDifferInTLS = mayDifferInTLS
        userData = nil
        cause = nil
    }

    /// An error of libcurl, or an answer that is not from etcd.
    init(lost message: String, mayBePerformed: Bool = true, mayDifferInTLS: Bool = false) {
        self.init(-1, message, mayBePerformed: mayBePerformed, mayDifferInTLS: mayDifferInTLS)
    }

    /// An answer that is not from etcd, with a remark.
    init(foreign answer: String, _ remark: String) { self.init(lost: "\(answer) \(Self.notFromEtcd)\(remark)") }

    /// The task did not wait for the answer.
    static let cancelled = EtcdError(-2, "the task was cancelled", mayBePerformed: false)
    var isCancelled: Bool { code == Self.cancelled.code }

    /// An answer that exceeds the size limit.
    init(longerThan limit: Int) { self.init(-1, "\(Self.tooLong) \(limit) bytes", mayBePerformed: true) }

    /// An error of libcurl that another attempt on the same endpoint would not change; nothing was sent.
    init(mistake message: String) { self.init(-1, message, mayBePerformed: false, isMistake: true) }

    /// An error that the server reported.
    init(status: Int, _ message: String) {
        self.init(status, message, mayBePerformed: [1, 2, 4, 13, 14].contains(status))
    }
}

extension EtcdError {
    private static let tooLong = "the response is longer than"
    private static let notFromEtcd = "is not from etcd's gateway"

    /// Whether the answer exceeds the size limit.
    var isTooLong: Bool { code.rawValue == -1 && message.hasPrefix(Self.tooLong) }

    /// Whether something else than etcd has answered.
    var isFromStranger: Bool { code.rawValue == -1 && message.contains(Self.notFromEtcd) }

    /// Whether the server has ended a connection because of the client's certificate, or because it has none.
    var isRefusedCertificate: Bool { code.rawValue == -1 && message.contains("alert") && message.contains("certificate") }

    /// Whether another attempt, perhaps on another endpoint, may succeed: the connection is lost, there is no leader, or the server is overloaded.
    var wantsAnotherAttempt: Bool { !isTooLong && (mayBePerformed || code.rawValue == -1 || message.contains("too many requests")) }

    /// Whether the token of the user is no longer valid.
    var wantsAnotherToken: Bool {
        code.rawValue == 16 || message.contains("invalid auth token") || message.contains("revision in header is old")
    }

    /// Whether a revision is no longer kept.
    var isCompacted: Bool { message.contains("revision has been compacted") }

    /// Whether the member has not heard of a revision yet.
    var isFuture: Bool { message.contains("is a future revision") }

    var isMissingLease: Bool { message.contains("lease not found") }
}
