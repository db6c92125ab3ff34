import CairnGraph

/// A single import. Reads all objects twice: first to find out which exist, then to convert them to objects of the store.
struct ImportRun {
    let classes: [ImportClass]
    var report = BNRImportReport()
    private let layout: BNRLayout
    private let names: Result<TokyoCabinetHashFile?, BNRError>
    /// The positions of classes by name, and by their numbers in references; -1 if two classes have the same number.
    private var placeOfName: [String: Int] = [:]
    private var placeOfNumber: [UInt8: Int] = [:]
    /// The rows that were read, by class.
    private var rows: [Set<UInt32>]
    private var inverses: [ImportInverse]

    init(_ importer: BNRImporter, _ catalog: ObjectCatalog) throws(BNRError) {
        layout = importer.layout
        names = importer.names
        var classes: [ImportClass] = []
        for source in importer.sources {
            let item = try ImportClass(source, catalog, isVersioned: layout.isVersioned)
            placeOfName[item.layout.name] = classes.count
            if let number = item.layout.number ?? item.file?.metadata?.number {
                placeOfNumber[number] = placeOfNumber[number] == nil ? classes.count : -1
            }
            var classReport = BNRImportReport.ClassReport(name: item.layout.name, storedName: item.stored.name)
            switch source.file {
            case .success(let file):
                // A damaged header may contain any number; the limit avoids overflows in sums.
                classReport.claimedCount = Int(min(file.file.claimedCount, 1 << 48)) - (file.file.claimedCount > 0 ? 1 : 0)
                classReport.damage = file.damage
            case .failure(let error): classReport.damage = [error.message]
            }
            report.classes.append(classReport)
            classes.append(item)
        }
        self.classes = classes
        rows = Array(repeating: [], count: classes.count)
        inverses = try ImportInverse.all(classes)
        report.ignoredClasses = importer.directory.classNames.filter { placeOfName[$0] == nil }
    }

    // MARK: First pass

    /// Reads and counts all objects.
    mutating func readAll() throws(BNRError) {
        for place in classes.indices {
            for row in classes[place].file?.rows ?? [] { read(row, place) }
            let counts = report.classes[place]
            guard classes[place].file?.isDecrypting != true || counts.objectCount > 0 || counts.failedCount == 0 else {
                throw BNRError(
                    .wrongPassphrase,
                    "none of the \(counts.failedCount) objects of \(counts.name) can be read, neither with the passphrase nor without it"
                )
            }
        }
        for index in inverses.indices {
            var inverse = inverses[index]
            let other = inverse.other.place
            inverse.settle { reference in
                guard case .success(let (place, row)) = resolve(reference), place == other else { return nil }
                return row
            }
            inverses[index] = inverse
        }
    }

    private mutating func read(_ row: UInt32, _ place: Int) {
        do throws(BNRError) {
            guard let object = try classes[place].object(row: row) else { return }
            rows[place].insert(row)
            report.classes[place].objectCount += 1
            if object.wasEncrypted { report.classes[place].encryptedCount += 1 }
            if let version = object.version { report.classes[place].versions[version, default: 0] += 1 }
            for (property, value) in object.values {
                guard case .references(let references) = value else { continue }
                let side = ImportInverse.Side(place: place, property: property.name)
                for index in inverses.indices where inverses[index].owner == side { inverses[index].note(row, references) }
            }
        } catch {
            report.classes[place].failedCount += 1
            if report.classes[place].failedCount <= BNRImportReport.exampleCount { report.failures.append(error.message) }
        }
    }

    // MARK: Second pass

    /// Calls `body` with each object that was read, in the form of the store.
    mutating func forEachObject(_ body: (ObjectDump) throws(BNRError) -> Void) throws(BNRError) {
        for place in classes.indices {
            let item = classes[place]
            for row in rows[place].sorted() {
                guard let object = try item.object(row: row) else { continue }
                let id = ObjectID(classNumber: item.stored.number, row: UInt64(row))
                var dump = ObjectDump(id: id, className: item.stored.name, version: item.stored.version, fields: [])
                for (property, value) in object.values {
                    switch value {
                    case .value(let value): dump.fields.append(ObjectDump.Field(name: property.name, value: .value(value)))
                    case .references(let references):
                        let targets = targets(references, of: property, row, place)
                        dump.fields.append(ObjectDump.Field(name: property.name, value: Self.value(targets, property)))
                    }
                }
                for inverse in inverses where inverse.other.place == place {
                    complete(&dump, inverse, row)
                }
                try body(dump)
            }
        }
    }

    /// The objects that a property refers to, except those that do not exist or cannot be referred to.
    private mutating func targets(
        _ references: [BNRReference],
        of property: ObjectCatalog.Property,
        _ row: UInt32,
        _ place: Int
    ) -> [ObjectID] {
        let side = ImportInverse.Side(place: place, property: property.name)
        let inverse = inverses.first { $0.owner == side && $0.isOtherOne }
        return references.compactMap { reference in
            let owner = "\(classes[place].layout.name) \(row).\(property.name)"
            guard let (target, found) = find(reference, owner, property.relationship?.target) else { return nil }
            guard inverse?.owners[found]?.contains(row) != false else {
                lose(
                    "\(owner) refers to \(classes[target].layout.name) \(found), but so does another object, and the inverse can have only one"
                )
                return nil
            }
            return id(target, found)
        }
    }

    /// Sets a property from its inverse.
    private mutating func complete(_ dump: inout ObjectDump, _ inverse: ImportInverse, _ row: UInt32) {
        let owners = (inverse.owners[row] ?? []).map { id(inverse.owner.place, $0) }
        let property = classes[inverse.other.place].properties[inverse.other.property]
        guard let property else { return }
        if let present = dump.fields.firstIndex(where: { $0.name == property.name }) {
            let said: [ObjectID] =
                switch dump.fields.remove(at: present).value {
                case .one(let id): id.map { [$0] } ?? []
                case .many(let ids): ids
                default: []
                }
            for id in Set(said).subtracting(owners).sorted() {
                lose(
                    "\(classes[inverse.other.place].layout.name) \(row).\(property.name) refers to row \(id.row), whose \(inverse.owner.property) does not refer back"
                )
            }
        }
        guard !owners.isEmpty else { return }
        dump.fields.append(ObjectDump.Field(name: property.name, value: Self.value(owners, property)))
    }

    private static func value(_ targets: [ObjectID], _ property: ObjectCatalog.Property) -> ObjectDump.Value {
        switch property.relationship?.shape {
        case .one: .one(targets.first)
        case .set: .many(Set(targets).sorted())
        default: .many(targets)
        }
    }

    // MARK: References

    private enum Loss: Error {
        case unknownClass, noObject(Int)
    }

    /// The class and row of the target of a reference.
    private func resolve(_ reference: BNRReference) -> Result<(Int, UInt32), Loss> {
        let place =
            switch reference.target {
            case .name(let name): placeOfName[name]
            case .number(let number): placeOfNumber[number]
            }
        guard let place, place >= 0 else { return .failure(.unknownClass) }
        return rows[place].contains(reference.row) ? .success((place, reference.row)) : .failure(.noObject(place))
    }

    /// The class and row of the target of a reference; if there is no such object, the loss is recorded.
    private mutating func find(_ reference: BNRReference, _ owner: String, _ storedName: String?) -> (Int, UInt32)? {
        switch resolve(reference) {
        case .success(let found):
            guard storedName == nil || storedName == classes[found.0].stored.name else {
                lose("\(owner) refers to \(classes[found.0].layout.name) \(found.1), but can refer only to \(storedName ?? "")")
                return nil
            }
            return found
        case .failure(.noObject(let place)): lose("\(owner) refers to \(classes[place].layout.name) \(reference.row), which does not exist")
        case .failure(.unknownClass):
            switch reference.target {
            case .name(let name): lose("\(owner) refers to \(name) \(reference.row), whose class is not in the layout")
            case .number(let number):
                lose("\(owner) refers to row \(reference.row) of class number \(number), which does not identify a class in the layout")
            }
        }
        return nil
    }

    private mutating func lose(_ what: String) {
        report.lostReferenceCount += 1
        if report.lostReferenceCount <= BNRImportReport.exampleCount { report.lostReferences.append(what) }
    }

    private func id(_ place: Int, _ row: UInt32) -> ObjectID { ObjectID(classNumber: classes[place].stored.number, row: UInt64(row)) }
}

// MARK: Names

extension ImportRun {
    /// Calls `body` with each name that can be read, in the form of the store.
    mutating func forEachName(_ body: (StoreInspector.Name) throws(BNRError) -> Void) throws(BNRError) {
        let file: TokyoCabinetHashFile?
        switch names {
        case .success(let opened): file = opened
        case .failure(let error):
            report.nameDamage.append(error.message)
            return
        }
        guard let file else {
            if !layout.names.isEmpty { report.nameDamage.append("the layout has names, but the directory has no file NamedBuffers") }
            return
        }
        report.nameDamage += file.damage.map { "\($0)" }
        for record in file.records {
            let name: StoreInspector.Name
            do throws(BNRError) { name = try self.name(record) } catch {
                report.failedNameCount += 1
                if report.failedNameCount <= BNRImportReport.exampleCount { report.failures.append(error.message) }
                continue
            }
            report.nameCount += 1
            try body(name)
        }
    }

    private mutating func name(_ record: TokyoCabinetHashFile.Record) throws(BNRError) -> StoreInspector.Name {
        guard let name = String(validating: record.key, as: UTF8.self) else {
            throw BNRError(.malformedRecord, "a name of \(record.key.count) bytes is not UTF-8")
        }
        let owner = "the name \(name)"
        guard let layout = layout.names.first(where: { $0.includes(name) }) else {
            return try Self.name(name, .bytes(Array(record.value)), .bytes)
        }
        var buffer = BNRBuffer(record.value)
        let value: BNRValue
        do throws(BNRError) { value = try layout.kind.read(&buffer) } catch {
            throw BNRError(.malformedRecord, "\(owner) cannot be read: \(error.message)")
        }
        guard buffer.remainingCount == 0 else {
            throw BNRError(.malformedRecord, "\(owner) cannot be read: \(buffer.remainingCount) bytes follow its value")
        }
        switch value {
        case .object(let reference):
            let found = reference.flatMap { find($0, owner, nil) }
            return StoreInspector.Name(name: name, value: .one(found.map { id($0.0, $0.1) }))
        case .objects(let references):
            return StoreInspector.Name(name: name, value: .many(references.compactMap { find($0, owner, nil) }.map { id($0.0, $0.1) }))
        default: return try Self.name(name, value, layout.storedType ?? layout.kind.storedType ?? .bytes)
        }
    }

    private static func name(_ name: String, _ value: BNRValue, _ type: StoredType) throws(BNRError) -> StoreInspector.Name {
        guard let stored = value.value(as: type) else {
            throw BNRError(.malformedRecord, "the name \(name) has \(value.phrase), which cannot be converted to \(type)")
        }
        do throws(RecordError) { return try StoreInspector.Name(name: name, value: stored, type: type) } catch {
            throw BNRError(.malformedRecord, "the name \(name) cannot be stored: \(error.message)", cause: error)
        }
    }
}
