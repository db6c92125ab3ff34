public import CairnCore

/// Options for opening an ``EtcdEngine``.
public struct EtcdEngineOptions: Sendable {
    /// Whether to create the store if there is none with that prefix. Default: true.
    public var createIfMissing = true
    /// Whether to open for reading only: then the user needs no permission to write. Default: false.
    public var readOnly = false
    /// The user, instead of the one in the URL. Default: `nil`; servers without authentication need none.
    public var user: String?
    /// The password of the user, instead of the one in the URL. Default: `nil`.
    public var password: String?
    /// A PEM file with the certificates of the authorities that may sign the server's certificate. Default: `nil`, the authorities of the
    /// system.
    public var certificateAuthority: String?
    /// A PEM file with the certificate of this client, for servers that ask for one. Default: `nil`.
    public var clientCertificate: String?
    /// A PEM file with the private key of ``clientCertificate``. Default: `nil`.
    public var clientKey: String?
    /// What the server allows in one transaction: by default, what etcd allows unless its flags say otherwise.
    public var limits = EtcdLimits()
    /// How long the server keeps old revisions, and so the minimum time that a view can be used: its `--auto-compaction-retention`. Default: 300 seconds.
    public var retention = Duration.seconds(300)
    /// The number of connections that calls use, at most; more calls wait. One more is used for news. Default: 8.
    public var connections = 8
    /// The memory for pages of objects that were read more than once, for all views together: they need not be read from the server again until somebody
    /// changes them. Default: 16 MiB.
    public var objectCacheSize = ByteCount.mebibytes(16)
    /// How long an attempt to connect may take, for each endpoint. Default: 2 seconds.
    public var connectTimeout = Duration.seconds(2)
    /// How long a call waits while nothing of the request is sent and nothing of the response arrives; a response that still arrives is not late. etcd itself
    /// gives up after about 7 seconds. Default: 10 seconds.
    public var requestTimeout = Duration.seconds(10)
    /// How long a call keeps trying, on all endpoints, when the connection is lost or the cluster has no leader, before it throws `EngineError.unavailable`.
    /// Long enough for an election. Default: 30 seconds.
    public var retryTimeout = Duration.seconds(30)

    /// The maximum size of an answer, in bytes, in addition to values of the largest size: a watch that is late reports up to 1,000 commits at once, with
    /// 64 KiB of keys each.
    package var largestAnswer = 128 << 20
    /// The maximum size of an answer with several values, in addition to values of the largest size: a few pages. What does not fit is read in smaller parts.
    var largestPage: Int { min(largestAnswer, 8 << 20) + largestValueInAnswer }
    /// Values are in base64.
    var largestValueInAnswer: Int { min(limits.requestBytes, 1 << 31) * 2 }

    /// How often to ask for commits even if the watch is silent: its endpoint may hear nothing.
    package var upkeepInterval = Duration.seconds(5)

    /// The minimum time that the names of commits are kept, in seconds.
    package var nameSeconds = 600

    /// The defaults.
    public init() {}
}

/// What an etcd server allows in one transaction. Its flags must be at least as large.
public struct EtcdLimits: Sendable, Hashable {
    /// The number of operations: `--max-txn-ops`. Default: 128. A commit needs up to eight of its own.
    public var operations: Int
    /// The size of a request, in bytes: `--max-request-bytes`. Default: 1.5 MiB; at least 256 KiB.
    public var requestBytes: Int

    public init(operations: Int = 128, requestBytes: Int = 3 << 19) {
        self.operations = operations
        self.requestBytes = requestBytes
    }
}
