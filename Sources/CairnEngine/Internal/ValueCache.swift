import CairnCore
import Synchronization

/// Keeps pages of objects that were read by key, for later views of an engine: a look-up in a dictionary instead of one in the engine's blocks or pages.
///
/// A value is valid from the version of the view that read it until the next commit that writes its key. A commit removes the keys that it writes before it
/// writes them, so that no view of the new state finds a former value. Until the commit has ended, and forever for older views, nothing is added to the shards
/// of these keys. Then it adds the new values of the keys that it removed. Other values are added when their keys are read for the second time, so that keys
/// read once do not displace keys read often.
///
/// An engine that others write to gives it their commits, in order, before a view that sees them reads anything.
package final class ValueCache: Sendable {
    private static let shardCount = 16
    /// Larger values are not kept.
    private static let largestValue = 16 << 10
    /// Commits of more keys empty the cache.
    private static let largestCommit = 4096

    private let shards: [Shard]
    private let version: Atomic<UInt64>

    /// - Parameters:
    ///   - capacity: The size of the values kept, in bytes.
    ///   - version: That of the engine, if others write to it.
    package init(capacity: Int, version: EngineVersion = EngineVersion(rawValue: 0)) {
        shards = (0..<Self.shardCount).map { _ in Shard(capacity / Self.shardCount) }
        self.version = Atomic(version.rawValue)
    }

    /// The version up to which it knows what commits wrote.
    package var knownVersion: EngineVersion { EngineVersion(rawValue: version.load(ordering: .acquiring)) }

    /// The value of a key, if it is kept and valid for a version.
    package func value(_ key: RawSpan, _ version: EngineVersion) -> [UInt8]? {
        guard let page = Self.page(key) else { return nil }
        return shard(page).state.withLock { state in
            let value = state.value(page, version)
            if value == nil { state.misses &+= 1 } else { state.hits &+= 1 }
            return value
        }
    }

    /// The number of lookups that found a value, and that did not.
    package var counts: (hits: UInt64, misses: UInt64) {
        shards.reduce(into: (0, 0)) { sum, shard in
            let counts = shard.state.withLock { ($0.hits, $0.misses) }
            sum = (sum.0 + counts.0, sum.1 + counts.1)
        }
    }

    /// Offers a value that a view of a version has read.
    package func offer(_ value: RawSpan, of key: RawSpan, _ version: EngineVersion) {
        guard let page = Self.page(key), value.byteCount <= Self.largestValue else { return }
        shard(page).state.withLock { state in
            if state.wants(page, version) { state.add([UInt8](copying: value), page, version) }
        }
    }

    /// Looks for the values of keys that are valid for a version.
    package func find(_ keys: KeyList, _ version: EngineVersion) -> FoundValues {
        var found = FoundValues(cache: self, version: version, values: (0..<keys.count).map { value(keys[$0], version) })
        found.missing.isSorted = keys.isSorted
        for place in 0..<keys.count where found.values[place] == nil {
            found.places.append(place)
            found.missing.append(keys[place])
        }
        return found
    }

    /// Removes everything.
    package func removeAll() {
        for shard in shards { shard.state.withLock { $0.removeAll() } }
    }

    /// Called before a commit writes. Returns the places of the writes whose former values were kept.
    package func willWrite(_ writes: EngineWrites) -> [Int] {
        guard writes.count <= Self.largestCommit, writes.deletedRanges.isEmpty else {
            for shard in shards { shard.state.withLock { $0.willWriteAll() } }
            return []
        }
        return (0..<writes.count).filter { index in
            guard let page = Self.page(writes.key(at: index)) else { return false }
            return shard(page).state.withLock { $0.willWrite(page) }
        }
    }

    /// Called after a commit failed, and before ``didWrite(_:_:_:)``.
    ///
    /// - Parameter version: The latest version now; `nil` if it is unknown: nothing is kept any longer.
    package func didWrite(_ version: EngineVersion?) {
        for shard in shards { shard.state.withLock { $0.didWrite(version) } }
        if let version { self.version.max(version.rawValue, ordering: .releasing) }
    }

    /// Called after a commit that made `version`, with the places that ``willWrite(_:)`` returned.
    package func didWrite(_ writes: EngineWrites, _ kept: [Int], _ version: EngineVersion) {
        didWrite(version)
        for index in kept {
            guard let page = Self.page(writes.key(at: index)), let value = writes.value(at: index), value.byteCount <= Self.largestValue
            else { continue }
            shard(page).state.withLock { $0.replace([UInt8](copying: value), page, version) }
        }
    }

    /// Called with each commit of others after ``knownVersion``. May be called by several threads with the same ones.
    package func changed(_ change: EngineChange) {
        if change.isEverything || change.keys.count > Self.largestCommit || !change.deletedRanges.isEmpty {
            for shard in shards { shard.state.withLock { $0.removeAll(change.version) } }
        } else {
            for index in 0..<change.keys.count {
                guard let page = Self.page(change.keys[index]) else { continue }
                shard(page).state.withLock { $0.remove(page, change.version) }
            }
        }
        version.max(change.version.rawValue, ordering: .releasing)
    }

    private func shard(_ page: UInt64) -> Shard { shards[Int(truncatingIfNeeded: page ^ page >> 4) & (Self.shardCount - 1)] }

    /// The first byte of the keys of pages, which hold the records of object stores: what is read again and again.
    private static let pageKind: UInt8 = 0x01

    /// The class and number of a page; `nil` for other keys.
    private static func page(_ key: RawSpan) -> UInt64? {
        guard key.byteCount == 9, unsafe key.unsafeLoad(fromByteOffset: 0, as: UInt8.self) == pageKind else { return nil }
        return unsafe UInt64(bigEndian: key.unsafeLoadUnaligned(fromByteOffset: 1, as: UInt64.self))
    }
}

/// An engine that keeps pages of objects.
package protocol PageCaching: StorageEngine {
    var pageCache: ValueCache { get }
}

/// The values of keys that a cache has, to be lent in the order of the keys together with those that must be read.
package struct FoundValues {
    fileprivate let cache: ValueCache
    fileprivate let version: EngineVersion
    fileprivate let values: [[UInt8]?]
    fileprivate var places: [Int] = []
    /// The keys whose values are not kept.
    package fileprivate(set) var missing = KeyList()
    private var next = 0

    fileprivate init(cache: ValueCache, version: EngineVersion, values: [[UInt8]?]) {
        self.cache = cache
        self.version = version
        self.values = values
    }

    /// Lends the value of a missing key, and those found before it; offers it to the cache.
    package mutating func lend(_ index: Int, _ value: RawSpan?, to body: (Int, RawSpan?) -> Void) {
        lendFound(before: places[index], to: body)
        if let value { cache.offer(value, of: missing[index], version) }
        body(places[index], value)
    }

    /// Lends what was found after the last missing key.
    package mutating func lendRest(to body: (Int, RawSpan?) -> Void) { lendFound(before: values.count, to: body) }

    private mutating func lendFound(before end: Int, to body: (Int, RawSpan?) -> Void) {
        while next < end {
            if let value = values[next] { unsafe body(next, value.span.bytes) }
            next += 1
        }
    }
}

/// A part of the cache, with its own lock.
private final class Shard: Sendable {
    let state: Mutex<State>

    init(_ capacity: Int) { state = Mutex(State(capacity)) }

    struct State {
        private struct Value {
            let version: EngineVersion
            let bytes: [UInt8]
        }

        private let capacity: Int
        /// The values used lately, and those used before them; once the former take half of the capacity, they replace the latter.
        private var young: [UInt64: Value] = [:]
        private var old: [UInt64: Value] = [:]
        private var youngSize = 0
        /// The latest version in which a key of this shard was written, at most.
        private var lastWrite = EngineVersion(rawValue: 0)
        /// Whether a commit is writing a key of this shard.
        private var isBeingWritten = false
        /// Pages that were not found lately, each at the place that its hash gives.
        private var missed = [UInt64](repeating: .max, count: 1024)

        var hits: UInt64 = 0, misses: UInt64 = 0

        init(_ capacity: Int) { self.capacity = capacity }

        mutating func value(_ page: UInt64, _ version: EngineVersion) -> [UInt8]? {
            if let value = young[page] { return value.version <= version ? value.bytes : nil }
            guard let value = old[page], value.version <= version else { return nil }
            old[page] = nil
            insert(value, page)
            return value.bytes
        }

        /// Whether a value read in a version should be added.
        mutating func wants(_ page: UInt64, _ version: EngineVersion) -> Bool {
            guard !isBeingWritten, version >= lastWrite, young[page] == nil, old[page] == nil else { return false }
            let place = Int(truncatingIfNeeded: (page &* 0x9e37_79b9_7f4a_7c15) >> 32) & (missed.count - 1)
            defer { missed[place] = page }
            return missed[place] == page
        }

        mutating func add(_ bytes: [UInt8], _ page: UInt64, _ version: EngineVersion) {
            insert(Value(version: version, bytes: bytes), page)
        }

        private mutating func insert(_ value: Value, _ page: UInt64) {
            youngSize += value.bytes.count
            young[page] = value
            guard youngSize > capacity / 2 else { return }
            old = young
            young = [:]
            youngSize = 0
        }

        /// Returns whether a value of the page was kept.
        mutating func willWrite(_ page: UInt64) -> Bool {
            isBeingWritten = true
            return remove(page)
        }

        /// Adds what a commit has written in place of what was kept, unless others have committed since.
        mutating func replace(_ bytes: [UInt8], _ page: UInt64, _ version: EngineVersion) {
            guard !isBeingWritten, version >= lastWrite, young[page] == nil, old[page] == nil else { return }
            add(bytes, page, version)
        }

        mutating func willWriteAll() {
            isBeingWritten = true
            removeAll()
        }

        /// Removes what a commit of others has written.
        mutating func remove(_ page: UInt64, _ version: EngineVersion) {
            _ = remove(page)
            lastWrite = max(lastWrite, version)
        }

        mutating func removeAll(_ version: EngineVersion) {
            removeAll()
            lastWrite = max(lastWrite, version)
        }

        private mutating func remove(_ page: UInt64) -> Bool {
            let isOld = old.removeValue(forKey: page) != nil
            guard let value = young.removeValue(forKey: page) else { return isOld }
            youngSize -= value.bytes.count
            return true
        }

        mutating func removeAll() {
            young = [:]
            old = [:]
            youngSize = 0
        }

        mutating func didWrite(_ version: EngineVersion?) {
            guard isBeingWritten else { return }
            guard let version else { return willWriteAll() }
            lastWrite = max(lastWrite, version)
            isBeingWritten = false
        }
    }
}
