/// The values set and deleted since the file was read: the latest state of each key, in the order in which keys were first changed.
struct CDBChanges: Sendable {
    struct Change: Sendable {
        let key: [UInt8]
        /// `nil` if the key is deleted.
        var value: [UInt8]?
        /// Whether the file has the key, so that the change applies to one of its records.
        var isInFile: Bool
        /// Identifies a later change of the same key.
        var stamp: UInt64
    }

    /// Whether the file's own records are ignored.
    private(set) var hidesFile = false
    private(set) var stamp: UInt64 = 0
    private var hideStamp: UInt64 = 0
    private var places: [[UInt8]: Int] = [:]
    /// `nil` for a change that was taken back.
    private var changes: [Change?] = []
    /// The number of keys that the changes add to those of the file, minus those they delete.
    private(set) var addedCount = 0

    /// The changes, in order.
    var all: some Sequence<Change> { changes.lazy.compactMap { $0 } }
    var isEmpty: Bool { places.isEmpty && !hidesFile }

    subscript(key: [UInt8]) -> Change? { places[key].flatMap { changes[$0] } }

    /// Records the state of a key.
    mutating func set(_ key: [UInt8], to value: [UInt8]?, isInFile: Bool) {
        stamp += 1
        let isInFile = isInFile && !hidesFile
        let change = Change(key: key, value: value, isInFile: isInFile, stamp: stamp)
        if let place = places[key] {
            count(changes[place], by: -1)
            changes[place] = change
        } else {
            places[key] = changes.count
            changes.append(change)
        }
        count(change, by: 1)
    }

    /// Drops the change of a key: it is the same as in the file. Must not be called during a save, which may be writing that very change.
    mutating func takeBack(_ key: [UInt8]) {
        guard let place = places.removeValue(forKey: key) else { return }
        stamp += 1
        count(changes[place], by: -1)
        changes[place] = nil
        if changes.count > 32, changes.count > 2 * places.count { pack() }
    }

    /// Deletes everything.
    mutating func removeAll() {
        let next = stamp + 1
        self = CDBChanges()
        stamp = next
        hideStamp = next
        hidesFile = true
    }

    /// Returns the changes left after a save of `saved`, an earlier state of these changes, to `view`.
    func since(_ saved: CDBChanges, in view: CDBView) throws(CDBError) -> CDBChanges {
        var rest = CDBChanges()
        rest.stamp = stamp
        if hidesFile, hideStamp > saved.stamp {
            rest.hidesFile = true
            rest.hideStamp = hideStamp
        }
        for change in all where change.stamp > saved.stamp { try rest.apply(change, to: view) }
        return rest
    }

    /// Returns the same changes on top of another file.
    func moved(to view: CDBView) throws(CDBError) -> CDBChanges {
        var moved = CDBChanges()
        moved.stamp = stamp
        moved.hidesFile = hidesFile
        moved.hideStamp = hideStamp
        for change in all { try moved.apply(change, to: view) }
        return moved
    }

    private mutating func apply(_ change: Change, to view: CDBView) throws(CDBError) {
        let isInFile = try hidesFile ? false : view.locate(change.key) != nil
        if let value = change.value {
            if isInFile, try view.holds(value, for: change.key) { return }
            set(change.key, to: value, isInFile: isInFile)
        } else if isInFile {
            set(change.key, to: nil, isInFile: true)
        }
    }

    private mutating func count(_ change: Change?, by sign: Int) {
        guard let change else { return }
        if change.isInFile, change.value == nil { addedCount -= sign }
        if !change.isInFile, change.value != nil { addedCount += sign }
    }

    private mutating func pack() {
        changes = changes.filter { $0 != nil }
        for (place, change) in changes.enumerated() { if let change { places[change.key] = place } }
    }
}
