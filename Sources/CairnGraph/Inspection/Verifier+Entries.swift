import CairnCore

extension Verifier {
    /// Looks up the entries that must exist.
    func lookUp() throws(ObjectStoreError) {
        guard !expectations.isEmpty else { return }
        let waiting = expectations
        expectations.removeAll(keepingCapacity: true)
        var keys = KeyList()
        for expectation in waiting { keys.append(expectation.key) }
        try noting("an index") { () throws(ObjectStoreError) in
            let values = try view.multiGet(keys)
            for (expectation, value) in zip(waiting, values) { try compare(expectation, value) }
        }
    }

    private func compare(_ expectation: Expectation, _ found: [UInt8]?) throws(ObjectStoreError) {
        let owner = expectation.owner
        guard let stored = store.storedClass(number: owner.classNumber) else { return }
        switch expectation.kind {
        case .backReference(let target):
            if found != nil { foundReferences += 1 }
            guard found != expectation.value else { return }
            add(
                .missingBackReference,
                stored,
                owner,
                expectation.property,
                target: target,
                reason: "\(phrase(owner)).\(expectation.property) refers to \(phrase(target)), whose back reference is missing"
            )
            repairs?.put(expectation.value, for: expectation.key)
        case .inverse(let target, let number):
            guard found == nil else { return }
            let leadsBack = try leads(target, number, to: owner)
            guard !leadsBack else { return }
            let inverse = store.storedClass(number: target.classNumber)?.entry[field: Int(number)]?.name ?? "\(number)"
            add(
                .inverseOutOfStep,
                stored,
                owner,
                expectation.property,
                target: target,
                reason: "\(phrase(owner)).\(expectation.property) refers to \(phrase(target)), whose \(inverse) does not refer back"
            )
        case .entry(let index):
            if found == expectation.value {
                foundEntries[index.number, default: 0] += 1
            } else if index.isComplete(in: view) {
                try addMissing(expectation, stored, found)
            }
        }
    }

    private func addMissing(_ expectation: Expectation, _ stored: StoredClass, _ found: [UInt8]?) throws(ObjectStoreError) {
        let owner = expectation.owner
        var reason = "\(phrase(owner)) is not in the index on \(expectation.property)"
        if let found, found.count == 8 {
            let other = unsafe ObjectID(raw: Keyspace.number(found.span.bytes, at: 0))
            reason = "the unique index on \(expectation.property) has \(phrase(other)) in place of \(phrase(owner))"
        }
        add(.missingIndexEntry, stored, owner, expectation.property, reason: reason)
        guard repairs != nil, repairedKeys.insert(expectation.key).inserted else { return }
        if case .entry(let index) = expectation.kind, found != nil, try !isNeedless(expectation.key, found ?? [], index, stored) { return }
        repairs?.put(expectation.value, for: expectation.key)
    }

    // MARK: Entries that should not be there

    /// The number of back references that are compared together.
    private static var backReferencesAtOnce: Int { 65_536 }

    /// Finds back references without references. Reads their owners only if there are more than expected.
    func verifyBackReferences() throws(ObjectStoreError) {
        try noting("the back references") { () throws(ObjectStoreError) in
            let range = KeyRange(prefix: [0x05])
            var count = 0
            try view.forEachPortion(of: range, 4096, keysOnly: true) { portion in
                // Back references from damaged lists were not looked up.
                for (key, _) in portion where BackReference(key).map(isOfDamagedList) != true { count += 1 }
            }
            guard count > foundReferences else { return }
            try view.forEachPortion(of: range, Self.backReferencesAtOnce, keysOnly: true) { portion throws(ObjectStoreError) in
                var references: [BackReference] = []
                for (key, _) in portion {
                    if let reference = BackReference(key) { references.append(reference) } else { addUnknown(key) }
                }
                // By owner, so that each long list is read once.
                references.sort { ($0.owner, $0.property) < ($1.owner, $1.property) }
                for reference in references { try verify(reference) }
            }
        }
    }

    private struct BackReference {
        let key: [UInt8]
        let target: ObjectID
        let owner: ObjectID
        let property: UInt16

        /// `nil` if the key is not that of a back reference.
        init?(_ key: [UInt8]) {
            let span = unsafe key.span.bytes
            guard let owner = Keyspace.owner(span) else { return nil }
            (self.key, self.owner) = (key, owner)
            target = ObjectID(raw: Keyspace.number(span, at: 1))
            property = Keyspace.number(span, at: 11)
        }
    }

    private func isOfDamagedList(_ reference: BackReference) -> Bool {
        damagedLists.contains(Link(field: Int(reference.property), target: reference.owner))
    }

    private func verify(_ reference: BackReference) throws(ObjectStoreError) {
        let (owner, property, target) = (reference.owner, reference.property, reference.target)
        guard try !leads(owner, property, to: target) else { return }
        let stored = store.storedClass(number: owner.classNumber)
        let name = stored?.entry[field: Int(property)]?.name ?? "\(property)"
        add(
            .surplusBackReference,
            stored,
            owner,
            name,
            target: target,
            reason: "\(phrase(target)) has a back reference to \(phrase(owner)).\(name), which does not refer to it"
        )
        repairs?.delete(reference.key)
    }

    /// Whether a property refers to an object; `true` if the record is too damaged to tell.
    func leads(_ owner: ObjectID, _ property: UInt16, to target: ObjectID) throws(ObjectStoreError) -> Bool {
        guard hasRow(owner), let stored = store.storedClass(number: owner.classNumber) else { return false }
        var leads = false
        var list: LongList?
        do throws(ObjectStoreError) {
            try StoreReading.record(owner, stored, in: view) { record in
                do throws(RecordError) {
                    try RecordReferences.forEach(record) { field, found in
                        if field == UInt64(property) { list = found }
                    } _: { field, id in
                        if field == UInt64(property), id == target { leads = true }
                    }
                } catch {
                    leads = true
                }
            }
            if let list, !leads { leads = try self.leads(list, owner, property, to: target) }
        } catch {
            guard error.code == .corruption else { throw error }
            return true
        }
        return leads
    }

    func verifyEntries(_ stored: StoredClass) throws(ObjectStoreError) {
        let numbers = Set(stored.entry.indexes.map(\.number))
        let all = KeyRange(prefix: [0x03] + Keyspace.bigEndian(stored.number))
        var counts: [UInt32: Int] = [:]
        try noting("the indexes", stored) { () throws(ObjectStoreError) in
            try view.forEachPortion(of: all, 4096, keysOnly: true) { portion in
                for (key, _) in portion where key.count >= 5 { unsafe counts[Keyspace.number(key.span.bytes, at: 1), default: 0] += 1 }
            }
        }
        for (number, count) in counts {
            if numbers.contains(number) {
                changeClass(stored) { $0.indexEntryCount += count }
            } else {
                report.formerIndexEntryCount += count
            }
        }
        for index in stored.indexes where counts[index.number, default: 0] > foundEntries[index.number, default: 0] {
            try noting("the index on \(index.index.properties.joined(separator: ","))", stored) { () throws(ObjectStoreError) in
                try view.forEachPortion(of: KeyRange(prefix: Keyspace.entries(index.number))) { portion throws(ObjectStoreError) in
                    for (key, value) in portion where try isNeedless(key, value, index, stored) { addSurplus(key, value, index, stored) }
                }
            }
        }
    }

    private func addSurplus(_ key: [UInt8], _ value: [UInt8], _ index: StoredIndex, _ stored: StoredClass) {
        let properties = index.index.properties.joined(separator: ",")
        let id = Self.object(of: key, value, stored)
        let reason =
            "the index on \(stored.name).\(properties) refers to \(id.map { phrase($0) } ?? "nothing"), which does not have these values"
        add(.surplusIndexEntry, stored, id, properties, reason: reason)
        if !repairedKeys.contains(key) { repairs?.delete(key) }
    }

    static func object(of key: [UInt8], _ value: [UInt8], _ stored: StoredClass) -> ObjectID? {
        if value.count == 8 { return ObjectID(raw: unsafe Keyspace.number(value.span.bytes, at: 0)) }
        guard value.isEmpty, key.count >= 11 else { return nil }
        let row = unsafe (Keyspace.number(key.span.bytes, at: key.count - 8) as UInt64) & ObjectID.maximumRow
        return ObjectID(class: stored.number, row: row)
    }

    /// Whether an entry's object lacks its values. Unreadable objects may have them.
    private func isNeedless(_ key: [UInt8], _ value: [UInt8], _ index: StoredIndex, _ stored: StoredClass) throws(ObjectStoreError) -> Bool
    {
        guard let schema = stored.schema, let id = Self.object(of: key, value, stored), hasRow(id), id.classNumber == stored.number else {
            return true
        }
        var isNeedless = true
        do throws(ObjectStoreError) {
            try StoreReading.record(id, stored, in: view) { record in
                guard !ObjectRecord.isOlder(record, stored) else { return }
                let object = schema.type.init(_$fault: ())
                do throws(RecordError) {
                    _ = try ObjectRecord.read(record, into: object, stored.fields)
                    if object._$state.flags.contains(.partial) {
                        try readLargeValues(of: index, record, into: object, id, stored)
                    }
                    let entry = index.entry(object, id)
                    isNeedless = entry.bytes != key || entry.isUnique != (value.count == 8)
                } catch {
                    isNeedless = error.code == .shredded
                }
            }
        } catch {
            guard error.code == .corruption else { throw error }
            return false
        }
        return isNeedless
    }

    private func readLargeValues(
        of index: StoredIndex,
        _ record: RawSpan,
        into object: any StoredObject,
        _ id: ObjectID,
        _ stored: StoredClass
    ) throws(RecordError) {
        do throws(ObjectStoreError) {
            try StoreReading.readLargeValues(of: record, into: object, id, stored, in: view, store.name) {
                index.properties & ObjectState.bit($0) != 0
            }
        } catch {
            throw RecordError(.failed, error.message, cause: error)
        }
    }
}
