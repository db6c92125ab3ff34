public import CairnCore

/// Writes that a ``StorageEngine`` performs all or not at all, and the reads that they rest on.
///
/// ```swift
/// var commit = EngineCommit()
/// commit.deleteRange(KeyRange(prefix: "song/7/"))
/// commit.put(page, for: "song/7/0")
/// commit.read("song/7", in: view)
/// try engine.commit(commit)
/// ```
///
/// Writes follow one another: of two to the same key the later counts, a deleted range takes away what was put before and spares what is
/// put afterwards. Adding copies the bytes to one buffer, allocates nothing else, and does not throw: what is too large for the engine is
/// refused by the commit. A million small writes are fine; it helps where they come in the order of their keys.
///
/// A value: copies share their memory until one changes. The views it has read from are held as long as it lives.
public struct EngineCommit: Sendable {
    /// No part of a commit, neither key nor value, can be larger than this: somewhat less than 4 GiB.
    public static let largestPart = Int(UInt32.max) - 1

    /// The reads that must not have changed, one group for each view.
    public private(set) var reads: [EngineReads] = []
    /// A name for this commit that no other has, such as the bytes of a UUID. Engines reached over a network remember it for a while, so that
    /// a commit whose answer was lost can be tried again without being performed twice. Engines on the same machine need none, and ignore it.
    public var idempotencyID: [UInt8]?

    /// The longest key that was added, in bytes.
    public private(set) var largestKeySize = 0
    /// The largest value that was added, in bytes.
    public private(set) var largestValueSize = 0
    /// Whether the empty key was put, deleted or read.
    public private(set) var hasEmptyKey = false

    var bytes: [UInt8] = []
    var writes: [Write] = []
    /// The ranges, each with the number of writes that came before.
    var deletions: [(range: KeyRange, position: Int)] = []
    /// Whether each key is behind the one before.
    var isAscending = true

    /// Where a write lies in ``bytes``: the key, and behind it the value.
    struct Write {
        var start: Int
        var keySize: UInt32
        /// The size of the value; ``deletion``: there is none.
        var valueSize: UInt32

        static let deletion = UInt32.max
        var keyEnd: Int { start + Int(keySize) }
        var end: Int { valueSize == Self.deletion ? keyEnd : keyEnd + Int(valueSize) }
    }

    /// A commit of nothing.
    public init() {}

    /// Makes room for so many writes, and so many bytes of keys and values.
    public mutating func reserve(writes count: Int, bytes size: Int) {
        writes.reserveCapacity(count)
        bytes.reserveCapacity(size)
    }

    /// Stores `value` for `key`, in place of what is there.
    @inlinable
    public mutating func put(_ value: some ByteSource & ~Escapable, for key: some ByteSource & ~Escapable) {
        key.withBytes { key in value.withBytes { value in put(value, for: key) } }
    }

    /// Stores `value` for `key`, in place of what is there.
    public mutating func put(_ value: RawSpan, for key: RawSpan) {
        largestValueSize = max(largestValueSize, value.byteCount)
        guard value.byteCount <= Self.largestPart, noteKey(key) else { return }
        let start = bytes.count
        add(key)
        add(value)
        writes.append(Write(start: start, keySize: UInt32(key.byteCount), valueSize: UInt32(value.byteCount)))
    }

    /// Removes `key`. Removing a key that is not there succeeds.
    @inlinable
    public mutating func delete(_ key: some ByteSource & ~Escapable) { key.withBytes { delete($0) } }

    /// Removes `key`. Removing a key that is not there succeeds.
    public mutating func delete(_ key: RawSpan) {
        guard noteKey(key) else { return }
        let start = bytes.count
        add(key)
        writes.append(Write(start: start, keySize: UInt32(key.byteCount), valueSize: Write.deletion))
    }

    /// Removes all keys of `range`. A range that can have none is left out.
    public mutating func deleteRange(_ range: KeyRange) {
        guard !range.isEmpty else { return }
        largestKeySize = max(largestKeySize, range.lowerBound.count, range.upperBound?.count ?? 0)
        deletions.append((range, writes.count))
    }

    /// Lets the commit succeed only while the value of `key` is what `view` has, or is missing as it is there.
    public mutating func read(_ key: some ByteSource & ~Escapable, in view: any EngineView) {
        key.withBytes { key in
            largestKeySize = max(largestKeySize, key.byteCount)
            if key.byteCount == 0 { hasEmptyKey = true }
            withReads(in: view) { $0.keys.append(key) }
        }
    }

    /// Lets the commit succeed only while the entries of `range` are those that `view` has.
    public mutating func read(_ range: KeyRange, in view: any EngineView) {
        guard !range.isEmpty else { return }
        withReads(in: view) { $0.ranges.append(range) }
    }

    private mutating func withReads(in view: any EngineView, _ body: (inout EngineReads) -> Void) {
        // Mostly there is one view, and where there are more the last is asked for again.
        let index = reads.lastIndex { $0.view === view } ?? reads.count
        if index == reads.count { reads.append(EngineReads(view: view)) }
        body(&reads[index])
    }

    /// Notes the size and order of a key to be written; false if it is too large for any engine.
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

/// What a commit has read from one view.
public struct EngineReads: Sendable {
    /// Where it was read.
    public let view: any EngineView
    /// The keys, some perhaps several times.
    public internal(set) var keys = KeyList()
    /// The ranges.
    public internal(set) var ranges: [KeyRange] = []
}

extension EngineCommit {
    /// Whether it writes nothing.
    public var isEmpty: Bool { writes.isEmpty && deletions.isEmpty }
    /// Whether it deletes ranges.
    public var deletesRanges: Bool { !deletions.isEmpty }
    /// How many writes and reads it has, those to the same key counted each.
    public var operationCount: Int { writes.count + deletions.count + readCount }
    /// How many bytes its keys, values and bounds have, those of writes to the same key counted each.
    public var size: Int { bytes.count + deletions.reduce(0) { $0 + $1.range.boundsSize } + readSize }

    /// How many keys and ranges were read.
    var readCount: Int { reads.reduce(0) { $0 + $1.keys.count + $1.ranges.count } }
    /// How many bytes they have.
    var readSize: Int { reads.reduce(0) { $0 + $1.keys.byteCount + $1.ranges.reduce(0) { $0 + $1.boundsSize } } }
}
