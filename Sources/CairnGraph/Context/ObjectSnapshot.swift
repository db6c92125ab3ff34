import CairnCore

/// The values of an object at some time: a record, and its long lists apart. These share what they have in memory with the object, and keep the state of
/// the store that has the rest.
struct ObjectSnapshot {
    var record: [UInt8] = []
    /// By field number.
    var lists: [UInt16: LongList] = [:]
    /// The large values that could not be read (``ObjectState/unread``): they stay as they are.
    var unread: UInt16 = 0
}

extension ObjectSnapshot {
    private var fields: [UInt64: [UInt8]] {
        get throws(RecordError) { unsafe try RecordMerge.fields(record.span.bytes) }
    }

    /// The numbers of the fields that are not the same in two snapshots.
    func difference(from other: ObjectSnapshot) throws(RecordError) -> Set<UInt64> {
        let (mine, others) = (try fields, try other.fields)
        var numbers = Set(mine.keys).union(others.keys).filter { mine[$0] != others[$0] }
        for number in Set(lists.keys).union(other.lists.keys) {
            guard let list = lists[number], let another = other.lists[number], list.isSame(as: another) else {
                numbers.insert(UInt64(number))
                continue
            }
        }
        return numbers
    }

    /// This snapshot with some fields of another one.
    func taking(_ numbers: Set<UInt64>, of other: ObjectSnapshot, _ stored: StoredClass) throws(RecordError) -> ObjectSnapshot {
        var taken = self
        var writer = RecordWriter()
        writer.replace(with: record)
        unsafe try RecordMerge.take(numbers, of: other.record.span.bytes, into: &writer)
        taken.record = try writer.bytes
        for number in numbers { taken.lists[UInt16(truncatingIfNeeded: number)] = other.lists[UInt16(truncatingIfNeeded: number)] }
        for index in stored.schema?.properties.indices ?? 0..<0 where numbers.contains(UInt64(stored.fields[index])) {
            let bit = stored.schema?.largeBit(index) ?? 0
            taken.unread = taken.unread & ~bit | other.unread & bit
        }
        return taken
    }
}

extension LongList {
    /// Whether two states of a list certainly have the same references: unchanged chunks have names, and a name means a content.
    fileprivate func isSame(as other: LongList) -> Bool {
        count == other.count && chunks.elementsEqual(other.chunks) { $0.name != nil && $0.name == $1.name }
    }
}

extension StoredClass {
    /// The bits of the properties with some field numbers.
    func bits(of numbers: Set<UInt64>) -> UInt64 {
        (0..<fields.count).reduce(0) { numbers.contains(UInt64(fields[$1])) ? $0 | ObjectState.bit($1) : $0 }
    }
}
