public import CairnCore

/// Writes that a ``StorageEngine`` performs atomically, and the reads that they depend on.
///
/// ```swift
/// var commit = EngineCommit()
/// commit.deleteRange(KeyRange(prefix: "song/7/"))
/// commit.put(page, for: "song/7/0")
/// commit.read("song/7", in: view)
/// try engine.commit(commit)
/// ```
///
/// Writes apply in order: the last write to a key wins, and deleting a range affects only earlier writes. Adding a write copies the bytes to a single
/// buffer, allocates nothing else, and does not throw: the commit fails if something is too large for the engine. A million small writes are fine;
/// adding them in key order is faster.
///
/// A value: copies share their memory until one changes. It retains the views that it has read from.
public struct EngineCommit: Sendable {
    /// The maximum size of a key or value: slightly less than 4 GiB.
    public static let largestPart = Int(UInt32.max) - 1

    /// The reads to check for conflicts, one group per view.
    public private(set) var reads: [EngineReads] = []
    /// A unique name for this commit, such as the bytes of a UUID. An engine reached over a network stores it for a while, in the same transaction as the
    /// writes, so that a commit whose reply was lost can be repeated without being performed twice: repeated, it returns the version that it made, whatever
    /// was committed since, and never conflicts with itself. Such an engine makes a name by itself for a commit that has none, to find out what became of it.
    /// Local engines ignore it.
    public var idempotencyID: [UInt8]?

    /// The size of the longest key added, in bytes.
    public private(set) var largestKeySize = 0
    /// The size of the largest value added, in bytes.
    public private(set) var largestValueSize = 0
    /// Whether the empty key is put, deleted or read.
    public private(set) var hasEmptyKey = false

    var bytes: [UInt8] = []
    var writes: [Write] = []
    /// The ranges, each with the number of writes before it.
    var deletions: [(range: KeyRange, position: Int)] = []
    /// Whether each key is greater than the one before.
    var isAscending = true

    /// The location of a write in ``bytes``: the key, followed by the value.
    struct Write {
        var start: Int
        var keySize: UInt32
        /// The size of the value; ``deletion`` if there is none.
        var valueSize: UInt32

        static let deletion = UInt32.max
        var keyEnd: Int { start + Int(keySize) }
        var end: Int { valueSize == Self.deletion ? keyEnd : keyEnd + Int(valueSize) }
    }

    /// Makes an empty commit.
    public init() {}

    /// Reserves space for a number of writes, and of bytes of keys and values.
    public mutating func reserve(writes count: Int, bytes size: Int) {
        writes.reserveCapacity(count)
        bytes.reserveCapacity(size)
    }

    /// Stores `value` for `key`, replacing an existing value.
    @inlinable
    public mutating func put(_ value: some ByteSource & ~Escapable, for key: some ByteSource & ~Escapable) {
        key.withBytes { key in value.withBytes { value in put(value, for: key) } }
    }

    /// Stores `value` for `key`, replacing an existing value.
    public mutating func put(_ value: RawSpan, for key: RawSpan) {
        largestValueSize = max(largestValueSize, value.byteCount)
        guard value.byteCount <= Self.largestPart, noteKey(key) else { return }
        let start = bytes.count
        add(key)
        add(value)
        writes.append(Write(start: start, keySize: UInt32(key.byteCount), valueSize: UInt32(value.byteCount)))
    }

    /// Removes `key`, if it exists.
    @inlinable
    public mutating func delete(_ key: some ByteSource & ~Escapable) { key.withBytes { delete($0) } }

    /// Removes `key`, if it exists.
    public mutating func delete(_ key: RawSpan) {
        guard noteKey(key) else { return }
        let start = bytes.count
        add(key)
        writes.append(Write(start: start, keySize: UInt32(key.byteCount), valueSize: Write.deletion))
    }

    /// Removes all keys in `range`. Empty ranges are ignored.
    public mutating func deleteRange(_ range: KeyRange) {
        guard !range.isEmpty else { return }
        largestKeySize = max(largestKeySize, range.lowerBound.count, range.upperBound?.count ?? 0)
        deletions.append((range, writes.count))
    }

    /// Makes the commit fail unless `key` has the same value as in `view`, or is missing in both. Whether a value that was changed and changed back is a
    /// conflict depends on the engine.
    public mutating func read(_ key: some ByteSource & ~Escapable, in view: any EngineView) {
        key.withBytes { key in
            largestKeySize = max(largestKeySize, key.byteCount)
            if key.byteCount == 0 { hasEmptyKey = true }
            withReads(in: view) { $0.keys.append(key) }
        }
    }

    /// Makes the commit fail unless `range` has the same entries as in `view`.
    public mutating func read(_ range: KeyRange, in view: any EngineView) {
        guard !range.isEmpty else { return }
        withReads(in: view) { $0.ranges.append(range) }
    }

    private mutating func withReads(in view: any EngineView, _ body: (inout EngineReads) -> Void) {
        // There is usually one view; if there are more, the last is usually used again.
        let index = reads.lastIndex { $0.view === view } ?? reads.count
        if index == reads.count { reads.append(EngineReads(view: view)) }
        body(&reads[index])
    }

    /// Records the size and order of a key to be written; returns false if it is too large for any engine.
    private mutating func noteKey(_ key: RawSpan) -> Bool {
        largestKeySize = max(largestKeySize, key.byteCount)
        if key.byteCount == 0 { hasEmptyKey = true }
        guard key.byteCount <= Self.largestPart else { return false }
        if isAscending, let last = writes.last {
            isAscending = unsafe bytes.span.bytes.extracting(last.start..<last.keyEnd).isOrdered(before: key)
        }
        return true
    }

    private mutating func add(_ part: RawSpan) { unsafe part.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
}

/// The reads of a commit from one view.
public struct EngineReads: Sendable {
    /// The view that was read.
    public let view: any EngineView
    /// The keys, possibly with duplicates.
    public internal(set) var keys = KeyList()
    /// The ranges.
    public internal(set) var ranges: [KeyRange] = []
}

extension EngineCommit {
    /// Whether the commit writes nothing.
    public var isEmpty: Bool { writes.isEmpty && deletions.isEmpty }
    /// Whether the commit deletes ranges.
    public var deletesRanges: Bool { !deletions.isEmpty }
    /// The number of writes and reads, including repeated ones of the same key.
    public var operationCount: Int { writes.count + deletions.count + readCount }
    /// The number of bytes of keys, values and bounds, including repeated writes of the same key.
    public var size: Int { bytes.count + deletions.reduce(0) { $0 + $1.range.boundsSize } + readSize }

    /// The number of keys and ranges read.
    var readCount: Int { reads.reduce(0) { $0 + $1.keys.count + $1.ranges.count } }
    /// The number of bytes of keys and ranges read.
    var readSize: Int { reads.reduce(0) { $0 + $1.keys.byteCount + $1.ranges.reduce(0) { $0 + $1.boundsSize } } }
}
