import CairnCore

extension Verifier {
    func verifyLargeRecords() throws(ObjectStoreError) {
        try noting("the large records") { () throws(ObjectStoreError) in
            try view.forEachPortion(of: KeyRange(prefix: [0x02]), keysOnly: true) { portion in
                for (key, _) in portion { verifyLarge(key) }
            }
        }
    }

    private func verifyLarge(_ key: [UInt8]) {
        guard key.count == 9 else { return addUnknown(key) }
        let id = unsafe ObjectID(raw: Keyspace.number(key.span.bytes, at: 1))
        guard let stored = store.storedClass(number: id.classNumber) else { return addUnknown(key) }
        guard !large.contains(id) else { return }
        // The page's information about it may be damaged.
        if hasRow(id), !isReadable(id, stored) { return }
        add(.looseLargeRecord, stored, id, reason: "a large record of \(phrase(id)) exists, but no page refers to it")
        repairs?.delete(key)
    }

    /// Whether the page of an object is intact.
    func isReadable(_ id: ObjectID, _ stored: StoredClass) -> Bool {
        guard let page = try? view.get(Keyspace.page(stored.number, ObjectPage.page(of: id.row))) else { return false }
        guard var records = unsafe ObjectPage.Records(page.span.bytes) else { return false }
        return records.skipAll()
    }

    func verifyNames() throws(ObjectStoreError) {
        try noting("the names") { () throws(ObjectStoreError) in
            try view.forEachPortion(of: KeyRange(prefix: [0x06])) { portion in
                for (key, value) in portion { verifyName(key, value) }
            }
        }
    }

    private func verifyName(_ key: [UInt8], _ value: [UInt8]) {
        guard let name = String(validating: key.dropFirst(), as: UTF8.self) else { return addUnknown(key) }
        if !ObjectMigration.isRecord(name) { report.nameCount += 1 }
        var leadsNowhere = false
        do throws(RecordError) {
            _ = try RecordDump(value)
            unsafe try RecordReferences.forEach(in: value.span.bytes) { _, _ throws(RecordError) in
                throw RecordError.malformed("it is part of a long list")
            } _: { _, id in
                if !hasRow(id) { leadsNowhere = true }
            }
        } catch {
            add(.damagedName, nil, reason: "the value under the name \"\(name)\" cannot be read: \(error.message)")
        }
        if leadsNowhere { report.namesOfNothing.append(name) }
    }

    /// Finds unreadable group keys. Their objects are reported as damaged too.
    func verifyGroups() throws(ObjectStoreError) {
        try noting("the keys of groups") { () throws(ObjectStoreError) in
            try view.forEachPortion(of: KeyRange(prefix: Keyspace.groups)) { portion in
                for (key, value) in portion where key != Keyspace.groups && key != Keyspace.formerGroups {
                    guard key.count == Keyspace.groupSize else {
                        addUnknown(key)
                        continue
                    }
                    if GroupKey(value) == nil { add(.unreadable, nil, reason: "the key of a group of \(store.name) is damaged") }
                }
            }
        }
    }

    // MARK: Unknown keys

    func findUnknownKeys() throws(ObjectStoreError) {
        let first = UInt16(truncatingIfNeeded: store.classes.count + 1)
        var ranges = [
            KeyRange(lowerBound: [], upperBound: Keyspace.header),
            KeyRange(lowerBound: Keyspace.header + [0], upperBound: Keyspace.move),
            KeyRange(lowerBound: Keyspace.move + [0], upperBound: Keyspace.storedClass(1)),
            KeyRange(lowerBound: Keyspace.storedClass(first), upperBound: Keyspace.lastRow(1)),
            KeyRange(lowerBound: Keyspace.lastRow(first), upperBound: [0x01]),
            KeyRange(lowerBound: [Keyspace.groupKind + 1], upperBound: nil),
        ]
        for kind: UInt8 in [0x01, 0x03, 0x07] {
            ranges.append(KeyRange(lowerBound: [kind], upperBound: [kind, 0, 1]))
            if first > 0 { ranges.append(KeyRange(lowerBound: [kind] + Keyspace.bigEndian(first), upperBound: [kind + 1])) }
        }
        try noting("the remaining keys") { () throws(ObjectStoreError) in
            for range in ranges {
                try view.forEachPortion(of: range, keysOnly: true) { portion in for (key, _) in portion { addUnknown(key) } }
            }
        }
    }

    func addUnknown(_ key: [UInt8]) {
        let digits = key.prefix(32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        add(.unknownKey, nil, reason: "this key is not part of the format: \(digits)\(key.count > 32 ? "… of \(key.count) bytes" : "")")
    }
}
