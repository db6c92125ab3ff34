/// An answer of etcd's gateway: what the engine needs of all kinds.
struct EtcdReply: Sendable {
    /// A key, with its revisions: when it was created and changed last, and how often it was changed since it was created.
    struct Entry: Sendable {
        var key: [UInt8] = []
        var value: [UInt8] = []
        var created: UInt64 = 0
        var modified: UInt64 = 0
        var count: UInt64 = 0
    }

    var cluster: UInt64 = 0
    var revision: UInt64 = 0
    var entries: [Entry] = []
    /// Whether the range has more entries than were asked for.
    var hasMore = false
    /// Whether the comparisons of a transaction held.
    var succeeded = false
    /// What the operations of a transaction returned.
    var responses: [EtcdReply] = []
    var lease: UInt64 = 0
    var token = ""
    /// Of a watch.
    var events: [Entry] = []
    var isCanceled = false
    /// The oldest revision that can be watched, if an older one was asked for.
    var compacted: UInt64 = 0
    /// An error: its status and text.
    var status: Int?
    var message = ""
}
