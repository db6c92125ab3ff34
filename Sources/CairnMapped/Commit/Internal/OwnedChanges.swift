import CairnCore

/// The changes of a transaction, to different keys, which own their bytes. In the order in which the keys were first changed.
@usableFromInline
struct OwnedChanges {
    private(set) var all: [OwnedChange] = []
    /// The keys and values of all changes, one after the other.
    private(set) var bytes: [UInt8] = []
    /// A hash table from keys to the numbers of their changes, plus one; at most half full. Empty while a search through all is faster.
    private var places: [UInt32] = []

    private static let fewest = 8
    /// So that no one can choose keys that collide.
    private static let seed = UInt64.random(in: 0 ... .max)

    var isEmpty: Bool { all.isEmpty }

    @usableFromInline
    init() {}

    /// - Parameter deadline: milliseconds since 1970.
    @usableFromInline
    mutating func set(_ bytes: RawSpan, _ type: MappedValueType, for key: String, deadline: Int64?) throws(MappedStoreError) {
        unsafe try bytes.withUnsafeBytes { value throws(MappedStoreError) in
            unsafe try key.withLentBytes { key throws(MappedStoreError) in
                unsafe try MappedStore.check(key, value)
                unsafe add(Change(key: key, value: value, type: type, deadline: deadline, flags: deadline == nil ? [] : .expires))
            }
        }
    }

    mutating func remove(_ key: String) {
        let nothing = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        unsafe key.withLentBytes { key in
            unsafe add(Change(key: key, value: nothing, type: MappedValueType(rawValue: 0), deadline: nil, flags: .removed))
        }
    }

    /// Adds a change, which takes the place of an earlier one to its key.
    mutating func add(_ change: Change) {
        let hash = unsafe MappedHash.hash(change.key, seed: Self.seed)
        if let place = unsafe place(of: change.key, hash) {
            let old = all[place]
            all[place] = OwnedChange(change, key: old.key, value: unsafe room(for: change.value, instead: old.value), hash: hash)
        } else {
            let key = bytes.count..<bytes.count + (unsafe change.key.count)
            unsafe bytes.append(contentsOf: change.key)
            let value = unsafe room(for: change.value, instead: key.upperBound..<key.upperBound)
            all.append(OwnedChange(change, key: key, value: value, hash: hash))
            list()
        }
    }

    /// Copies a value over an earlier one, if it fits there: a key may be changed any number of times.
    private mutating func room(for value: UnsafeRawBufferPointer, instead old: Range<Int>) -> Range<Int> {
        if value.count <= old.count {
            let new = old.lowerBound..<old.lowerBound + value.count
            unsafe bytes.replaceSubrange(new, with: value)
            return new
        }
        unsafe bytes.append(contentsOf: value)
        return bytes.count - value.count..<bytes.count
    }

    /// The last change to a key.
    func last(to key: String) -> OwnedChange? {
        unsafe key.withLentBytes { key in unsafe place(of: key, MappedHash.hash(key, seed: Self.seed)) }.map { all[$0] }
    }

    private func place(of key: UnsafeRawBufferPointer, _ hash: UInt64) -> Int? {
        func isSame(_ change: OwnedChange) -> Bool { unsafe change.hash == hash && bytes[change.key].elementsEqual(key) }
        guard !places.isEmpty else { return all.firstIndex(where: isSame) }
        var slot = Int(truncatingIfNeeded: hash) & (places.count - 1)
        while places[slot] != 0 {
            if isSame(all[Int(places[slot]) - 1]) { return Int(places[slot]) - 1 }
            slot = (slot + 1) & (places.count - 1)
        }
        return nil
    }

    /// Lists the change that was added last.
    private mutating func list() {
        guard all.count > Self.fewest else { return }
        if all.count * 2 > places.count {
            places = [UInt32](repeating: 0, count: max(64, places.count * 4))
            for number in 1..<all.count { list(number) }
        }
        list(all.count)
    }

    private mutating func list(_ number: Int) {
        var slot = Int(truncatingIfNeeded: all[number - 1].hash) & (places.count - 1)
        while places[slot] != 0 { slot = (slot + 1) & (places.count - 1) }
        places[slot] = UInt32(number)
    }
}

/// A change, with the places of its key and its value among the bytes of all.
struct OwnedChange {
    let key: Range<Int>
    let value: Range<Int>
    let type: MappedValueType
    /// Milliseconds since 1970.
    let deadline: Int64?
    let flags: MappedRecord.Flags
    /// The hash of the key, only for ``OwnedChanges``.
    fileprivate let hash: UInt64

    fileprivate init(_ change: Change, key: Range<Int>, value: Range<Int>, hash: UInt64) {
        self.key = key
        self.value = value
        type = change.type
        deadline = change.deadline
        flags = change.flags
        self.hash = hash
    }

    var isRemoval: Bool { flags.contains(.removed) }

    /// The change with its key and value lent from `bytes`.
    func lent(from bytes: UnsafeRawBufferPointer) -> Change {
        unsafe Change(
            key: UnsafeRawBufferPointer(rebasing: bytes[key]),
            value: UnsafeRawBufferPointer(rebasing: bytes[value]),
            type: type,
            deadline: deadline,
            flags: flags
        )
    }
}
