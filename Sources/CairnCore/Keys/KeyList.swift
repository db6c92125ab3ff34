/// A list of keys to look up together, held in one buffer. Reusing a list saves allocating a new one.
///
/// ```swift
/// var keys = KeyList()
/// keys.append("a")
/// keys.append("b")
/// let values = try db.multiGet(keys)      // a RocksDB database, a cdb reader
/// ```
public struct KeyList: Sendable, ExpressibleByArrayLiteral {
    @usableFromInline package var bytes: [UInt8] = []
    @usableFromInline package var ends: [Int] = []
    /// Whether the keys are in the order of the table, so that a sorted store need not sort them. Set it only if they are. Default: false.
    public var isSorted = false

    /// Creates an empty list.
    public init() {}

    /// Creates a list of `keys`.
    @inlinable
    public init(_ keys: some Sequence<some ByteSource>) {
        for key in keys { append(key) }
    }

    public init(arrayLiteral keys: String...) { self.init(keys) }

    /// The number of keys.
    public var count: Int { ends.count }

    /// Adds a copy of `key`.
    @inlinable
    public mutating func append(_ key: some ByteSource & ~Escapable) {
        key.withBytes { span in unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
        ends.append(bytes.count)
    }

    /// Removes all keys and keeps the memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }
}
