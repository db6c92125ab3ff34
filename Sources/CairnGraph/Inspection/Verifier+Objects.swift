import CairnCore
import Synchronization

extension Verifier {
    /// An entry that must exist because of an object's content.
    struct Expectation {
        let key: [UInt8]
        let value: [UInt8]
        let owner: ObjectID
        let property: String
        let kind: Kind

        enum Kind {
            case backReference(ObjectID)
            /// The inverse property with this number refers back.
            case inverse(ObjectID, UInt16)
            case entry(StoredIndex)
        }
    }

    func verifyObjects(
        _ stored: StoredClass,
        _ done: inout Int,
        _ step: (Double) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) {
        let types = stored.entry.types
        lastRows[stored.number] = try stored.lastRow(in: view, store.name)
        var count = done
        try view.forEachPage(of: stored) { page, bytes throws(ObjectStoreError) in
            try verify(page, bytes, stored, types)
            if expectations.count >= 1024 { try lookUp() }
            count += 1
            if count % 256 == 0 { try step(0.1 + 0.6 * Double(count) / Double(max(pageCount, count))) }
            return true
        }
        done = count
        try lookUp()
        guard repairs != nil, let row = highestRows[stored.number] else { return }
        repairs?.put(Keyspace.bigEndian(row), for: Keyspace.lastRow(stored.number))
        stored.lastRow.max(row, ordering: .relaxed)
        stored.saved(row)
    }

    private func verify(
        _ page: UInt64,
        _ bytes: [UInt8],
        _ stored: StoredClass,
        _ types: [Int: StoredType]
    ) throws(ObjectStoreError) {
        let first = ObjectID(class: stored.number, row: (page & ObjectID.maximumRow) << ObjectPage.rowBits)
        guard var records = unsafe ObjectPage.Records(bytes.span.bytes) else { return addDamagedPage(first, stored) }
        while let row = records.next() {
            let id = ObjectID(class: stored.number, row: first.row + UInt64(row.slot))
            guard 1...ObjectID.lastRow ~= id.row else {
                addDamage(id, stored, nil, "rows are numbered from 1 to \(ObjectID.lastRow)")
                continue
            }
            if id.row > lastRows[stored.number] ?? 0 { addRowBeyond(id, stored) }
            guard row.record.isEmpty else {
                try verify(id, stored, row.record, types)
                continue
            }
            large.insert(id)
            var found: [UInt8]?
            do throws(ObjectStoreError) { found = try view.get(Keyspace.large(id)) } catch {
                guard error.code == .corruption else { throw error }
                addDamage(id, stored, nil, error.message)
                continue
            }
            guard let found else {
                addDamage(id, stored, nil, "its large record is missing")
                continue
            }
            unsafe try verify(id, stored, found.span.bytes, types)
        }
        if !records.isWhole { addDamagedPage(first, stored) }
    }

    private func addDamagedPage(_ first: ObjectID, _ stored: StoredClass) {
        let last = first.row + UInt64(ObjectPage.rowCount) - 1
        add(
            .damagedPage,
            stored,
            first,
            reason: "the page of \(stored.name) \(max(first.row, 1)) to \(last) is damaged; nothing after the damage can be read"
        )
    }

    func addDamage(_ id: ObjectID, _ stored: StoredClass, _ property: String?, _ reason: String) {
        unknownDirectories.insert(id)
        changeClass(stored) { $0.damagedCount += 1 }
        let place = property.map { ", property \($0)," } ?? ""
        add(.damagedRecord, stored, id, property, reason: "\(phrase(id))\(place) cannot be read: \(reason)")
    }

    private func addRowBeyond(_ id: ObjectID, _ stored: StoredClass) {
        let last = lastRows[stored.number] ?? 0
        add(.rowBeyondLast, stored, id, reason: "\(phrase(id)) exists, but only rows up to \(last) were assigned")
        highestRows[stored.number] = id.row
    }

    // MARK: Records

    private func verify(
        _ id: ObjectID,
        _ stored: StoredClass,
        _ record: RawSpan,
        _ types: [Int: StoredType]
    ) throws(ObjectStoreError) {
        if GroupedRecord.isShredded(record) {
            unknownDirectories.insert(id)
            return changeClass(stored) { $0.shreddedCount += 1 }
        }
        guard let large = try? LargeValue.all(record), !large.isEmpty else {
            return try verify(id, stored, whole: record, types)
        }
        switch try verify(large, id, stored, record) {
        case .success(let whole):
            unsafe try verify(id, stored, whole: whole.span.bytes, types)
        case .failure(let error):
            addDamagedValue(id, stored, error)
            try verify(id, stored, whole: record, types.filter { large[UInt64($0.key)] == nil }, isWhole: false)
        }
    }

    /// - Parameter isWhole: Whether all large values are in the record.
    private func verify(
        _ id: ObjectID,
        _ stored: StoredClass,
        whole record: RawSpan,
        _ types: [Int: StoredType],
        isWhole: Bool = true
    ) throws(ObjectStoreError) {
        // The object whose values have index entries.
        var object: (any StoredObject)?
        var links: [Link: UInt64] = [:]
        var lists: [(field: Int, list: LongList)] = []
        do throws(RecordError) {
            let header = try ObjectRecord.header(record)
            guard header.version <= stored.entry.version else {
                throw RecordError.malformed("it has version \(header.version), but its class has version \(stored.entry.version)")
            }
            let dump = try RecordDump(record.extracting(droppingFirst: header.size), types: types)
            for field in dump.fields { try check(field, stored) }
            if let schema = stored.schema {
                let new = schema.type.init(_$fault: ())
                _ = try ObjectRecord.read(record, into: new, stored.fields)
                if !ObjectRecord.isOlder(record, stored) { object = new }
            }
            try RecordReferences.forEach(record) { field, list in
                lists.append((Int(field), list))
            } _: { field, id in
                links[Link(field: Int(field), target: id), default: 0] += 1
            }
        } catch {
            let property = error.field.flatMap { stored.entry[field: $0]?.name }
            return addDamage(id, stored, property, error.message)
        }
        var isWhole = isWhole
        for (field, list) in lists { isWhole = try verify(list, id, stored, field, &links) && isWhole }
        expectReferences(id, stored, links)
        if isWhole { changeClass(stored) { $0.objectCount += 1 } }
        guard let object else { return }
        let unread = object._$state.unread
        for index in stored.indexes {
            // The values of a large property that cannot be read are unknown.
            guard unread == 0 || !index.reads(unread, of: stored) else { continue }
            let entry = index.entry(object, id)
            expectations.append(
                Expectation(
                    key: entry.bytes,
                    value: entry.isUnique ? Keyspace.bigEndian(id.raw) : [],
                    owner: id,
                    property: index.index.properties.joined(separator: ","),
                    kind: .entry(index)
                )
            )
        }
    }

    private func check(_ field: RecordDump.Field, _ stored: StoredClass) throws(RecordError) {
        guard let property = stored.entry[field: field.number] else {
            // Only the program knows the field numbers of hand-coded classes.
            if stored.entry.isHandCoded == true { return }
            throw RecordError.malformed("it has field \(field.number), but its class has only \(stored.entry.properties.count)")
        }
        guard property.relationship != nil else { return }
        let wanted: WireKind = property.type == ObjectRelationship.Shape.one.rawValue ? .reference : .references
        guard field.kind == wanted || field.kind == .null else {
            throw RecordError.mismatch(field.kind.rawValue, wanted.phrase).about(field: field.number)
        }
    }

    private func expectReferences(_ owner: ObjectID, _ stored: StoredClass, _ counts: [Link: UInt64]) {
        for (link, count) in counts.sorted(by: { ($0.key.field, $0.key.target) < ($1.key.field, $1.key.target) }) {
            guard let property = stored.entry[field: link.field] else { continue }
            var value: [UInt8] = []
            Varint.append(count, to: &value)
            let number = UInt16(truncatingIfNeeded: link.field)
            expectations.append(
                Expectation(
                    key: Keyspace.reference(to: link.target, from: owner, number),
                    value: value,
                    owner: owner,
                    property: property.name,
                    kind: .backReference(link.target)
                )
            )
            report.referenceCount += 1
            // Fields that the class no longer reads are not references.
            guard property.isGone == nil, let relationship = property.relationship, !relationship.isDerived else { continue }
            verify(owner, stored, property.name, relationship, link.target)
        }
    }

    struct Link: Hashable {
        let field: Int
        let target: ObjectID
    }

    private func verify(
        _ owner: ObjectID,
        _ stored: StoredClass,
        _ property: String,
        _ relationship: CatalogEntry.Relationship,
        _ target: ObjectID
    ) {
        guard hasRow(target), let other = store.storedClass(number: target.classNumber) else {
            return add(
                .danglingReference,
                stored,
                owner,
                property,
                target: target,
                reason: "\(phrase(owner)).\(property) refers to \(phrase(target)), which does not exist"
            )
        }
        // The catalog has the name that the target class had when this class was last opened.
        let isOther = relationship.target.map { name in other.name != name && store.classes.contains { $0.name == name } } ?? false
        guard !isOther else {
            return add(
                .danglingReference,
                stored,
                owner,
                property,
                target: target,
                reason: "\(phrase(owner)).\(property) refers to \(phrase(target)), which is of another class"
            )
        }
        guard let name = relationship.inverse else { return }
        let number = other.entry.number(of: name)
        guard let inverse = other.entry[field: number], let back = inverse.relationship, !back.isDerived, back.inverse == property,
            inverse.type != ObjectRelationship.Shape.dictionary.rawValue
        else { return }
        expectations.append(
            Expectation(
                key: Keyspace.reference(to: owner, from: target, UInt16(truncatingIfNeeded: number)),
                value: [],
                owner: owner,
                property: property,
                kind: .inverse(target, UInt16(truncatingIfNeeded: number))
            )
        )
    }
}
