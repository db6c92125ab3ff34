import CairnCore

/// Finds the references in a record, without its class.
enum RecordReferences {
    /// - Parameter lists: Called for each long list; its references are stored elsewhere.
    static func forEach(
        _ record: RawSpan,
        lists: (_ field: UInt64, LongList) throws(RecordError) -> Void,
        _ body: (_ field: UInt64, ObjectID) -> Void
    ) throws(RecordError) {
        try forEach(in: record.extracting(droppingFirst: try ObjectRecord.header(record).size), lists: lists, body)
    }

    /// - Parameter fields: a record without its header.
    static func forEach(
        in fields: RawSpan,
        lists: (_ field: UInt64, LongList) throws(RecordError) -> Void,
        _ body: (_ field: UInt64, ObjectID) -> Void
    ) throws(RecordError) {
        var field = FieldReader(fields)
        while unsafe field.position < field.end {
            let tag = try field.varint()
            let kind = UInt8(truncatingIfNeeded: tag & 7)
            field.kind = kind
            switch kind {
            case Wire.reference:
                let id = try field.takeReference()
                if id.raw != 0 { body(tag >> 3, id) }
            case Wire.references:
                field.kind = Wire.bytes
                let payload = unsafe RawSpan(_unsafeBytes: try field.takeBytes(as: ObjectCollection.self))
                guard try LargeValue(payload) == nil else { continue }
                var list = FieldReader(payload)
                let collection = try ReferenceList.decode(&list)
                if let long = collection.long { try lists(tag >> 3, long) }
                for id in collection.short.ids where id.raw != 0 { body(tag >> 3, id) }
            default: try field.skip(kind)
            }
        }
    }

    /// The collection in a field of a record, or `nil` if it has none.
    static func collection(_ number: UInt16, of record: RawSpan) throws(RecordError) -> ObjectCollection? {
        var field = FieldReader(record.extracting(droppingFirst: try ObjectRecord.header(record).size))
        while unsafe field.position < field.end {
            let tag = try field.varint()
            field.kind = UInt8(truncatingIfNeeded: tag & 7)
            if tag >> 3 == UInt64(number), field.kind == Wire.references { return try field.takeReferences() }
            try field.skip(field.kind)
        }
        return nil
    }
}

extension RecordReferences {
    /// A reference of a record: the target, and the property that refers to it.
    struct Reference: Hashable, Comparable {
        var target: ObjectID
        var property: UInt16

        static func < (one: Reference, other: Reference) -> Bool {
            one.target.raw == other.target.raw ? one.property < other.property : one.target.raw < other.target.raw
        }
    }

    /// How often a record refers to an object, before and now.
    struct Change {
        var reference: Reference
        var former: Int
        var present: Int
    }

    /// What a record refers to, in record order.
    struct Found {
        var references = ContiguousArray<Reference>()
        /// The directories of its long lists.
        var lists: [(property: UInt16, list: LongList)] = []

        /// Removes and returns what a property refers to.
        mutating func take(_ property: UInt16) -> (references: ContiguousArray<Reference>, list: LongList?) {
            let taken = ContiguousArray(references.lazy.filter { $0.property == property })
            if !taken.isEmpty { references.removeAll { $0.property == property } }
            return (taken, lists.first { $0.property == property }?.list)
        }
    }

    static func all(_ record: RawSpan) throws(RecordError) -> Found {
        var references = ContiguousArray<Reference>()
        var lists: [(property: UInt16, list: LongList)] = []
        try forEach(record) { field, list in
            lists.append((UInt16(truncatingIfNeeded: field), list))
        } _: { field, id in
            references.append(Reference(target: id, property: UInt16(truncatingIfNeeded: field)))
        }
        return Found(references: references, lists: lists)
    }

    /// The references whose count differs between two records, sorted. The common prefix and suffix are hardly examined: for a long list, the cost is
    /// proportional to the span between the first and the last change.
    static func changes(_ former: ContiguousArray<Reference>, _ present: ContiguousArray<Reference>) -> [Change] {
        let shorter = min(former.count, present.count)
        var start = 0
        while start < shorter, former[start] == present[start] { start += 1 }
        guard start < former.count || start < present.count else { return [] }
        var rest = 0
        while rest < shorter - start, former[former.count - 1 - rest] == present[present.count - 1 - rest] { rest += 1 }
        var changes = differences(former[start..<former.count - rest].sorted(), present[start..<present.count - rest].sorted())
        guard let first = changes.first, let last = changes.last, start + rest > 0 else { return changes }
        // Add the counts in the common parts, because the total decides whether any reference remains.
        var places: [Reference: Int] = [:]
        for (place, change) in changes.enumerated() { places[change.reference] = place }
        for reference in [former[..<start], former[(former.count - rest)...]].joined()
        where first.reference <= reference && reference <= last.reference {
            guard let place = places[reference] else { continue }
            changes[place].former += 1
            changes[place].present += 1
        }
        return changes
    }

    /// The elements whose count differs between two sorted lists.
    private static func differences(_ former: [Reference], _ present: [Reference]) -> [Change] {
        var changes: [Change] = []
        var (old, new) = (0, 0)
        while old < former.count || new < present.count {
            let reference: Reference =
                if old < former.count, new < present.count { min(former[old], present[new]) } else {
                    old < former.count ? former[old] : present[new]
                }
            var change = Change(reference: reference, former: 0, present: 0)
            while old < former.count, former[old] == reference { (old, change.former) = (old + 1, change.former + 1) }
            while new < present.count, present[new] == reference { (new, change.present) = (new + 1, change.present + 1) }
            if change.former != change.present { changes.append(change) }
        }
        return changes
    }
}
