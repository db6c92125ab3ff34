import CairnCore
import CairnEngine

extension Save {
    /// Nothing was committed, because others have changed what an attempt depends on.
    struct Conflict: Error {
        let store: ObjectStore
        /// The state that was read.
        let before: any EngineView
        /// What others have changed, if the engine knows it.
        let key: [UInt8]?
    }
}

extension Save.Conflict {
    /// What others have done, for messages.
    struct Change {
        /// Such as "changed Song 17".
        var phrase: String
        /// The object that it belongs to.
        var object: ObjectID?
        /// Whether it counts for the objects beside it too, because they are read together.
        var isOfPage = false
    }

    /// What others have done; `nil` if it is not known.
    ///
    /// - Complexity: Reads one or two values.
    var change: Change? {
        guard let key, let kind = key.first else { return nil }
        let old = try? before.get(key)
        let new = try? store.engine.makeView().get(key)
        let bytes = unsafe key.span.bytes
        var change = Change(phrase: "changed \(SealedRange.phrase(of: bytes, className: className))")
        switch (kind, key.count) {
        case (Keyspace.pageKind, 9):
            change.isOfPage = true
            let first = Keyspace.firstRow(ofPage: bytes).map { ObjectID(class: Keyspace.number(bytes, at: 1), row: $0) }
            if let (verb, id) = first.flatMap({ changedRow(from: $0, old, new) }) {
                change.phrase = "\(verb) \(className(id.classNumber)) \(id.row)"
                change.object = id
            }
        case (Keyspace.entryKind, 5...):
            guard let id = Self.owner(ofEntry: bytes, new ?? old) else { break }
            change.phrase = "changed the entry of \(className(id.classNumber)) \(id.row) in \(indexName(Keyspace.number(bytes, at: 1)))"
            change.object = id
        case (Keyspace.largeKind, 9), (Keyspace.chunkKind, Keyspace.chunkSize), (0x05, Keyspace.referenceSize):
            change.object = ObjectID(raw: Keyspace.number(bytes, at: 1))
        default: break
        }
        return change
    }

    private func className(_ number: UInt16) -> String { store.storedClass(number: number)?.name ?? "class \(number)" }

    /// - Parameter number: Begins with the number of the class.
    private func indexName(_ number: UInt32) -> String {
        let index = store.storedClass(number: UInt16(number >> 16))?.entry.indexes.first { $0.number == number }
        return index.map { "the index on \($0.properties.joined(separator: ", "))" } ?? "an index"
    }

    /// The first object of a page whose record is another one now; `nil` if there is none, as after a change of a record that is too large for the page.
    private func changedRow(from first: ObjectID, _ old: [UInt8]?, _ new: [UInt8]?) -> (verb: String, id: ObjectID)? {
        let (before, after) = (Self.records(old), Self.records(new))
        for id in first.rowsOfPage {
            let slot = ObjectPage.slot(of: id.row)
            guard before[slot] != after[slot] else { continue }
            return (after[slot] == nil ? "deleted" : before[slot] == nil ? "inserted" : "changed", id)
        }
        return nil
    }

    private static func records(_ page: [UInt8]?) -> [Int: [UInt8]] {
        var records: [Int: [UInt8]] = [:]
        if let page { _ = unsafe ObjectPage.forEach(page.span.bytes) { slot, record in records[slot] = [UInt8](copying: record) } }
        return records
    }

    /// - Parameter value: The entry's value, which is the object in a unique index; otherwise, it is empty, and the key ends with the row.
    private static func owner(ofEntry key: RawSpan, _ value: [UInt8]?) -> ObjectID? {
        guard let value else { return nil }
        if value.count == 8 { return unsafe ObjectID(raw: Keyspace.number(value.span.bytes, at: 0)) }
        guard value.isEmpty, key.byteCount >= 11 else { return nil }
        let row: UInt64 = Keyspace.number(key, at: key.byteCount - 8) & ObjectID.maximumRow
        return ObjectID(class: Keyspace.number(key, at: 1), row: row)
    }
}
