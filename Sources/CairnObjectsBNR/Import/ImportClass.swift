import CairnGraph

/// A class of the layout, its file, and the class of the store that its objects are imported into.
struct ImportClass {
    let layout: BNRClassLayout
    let stored: ObjectCatalog.Class
    /// `nil` if it cannot be read.
    let file: BNRClassFile?
    /// The properties that it may fill, by name.
    let properties: [String: ObjectCatalog.Property]
    private let isVersioned: Bool

    /// Finds the class in the store.
    ///
    /// - Throws: `invalidLayout` if it does not exist, or does not have the properties, or they have other types.
    init(_ source: ImportSource, _ catalog: ObjectCatalog, isVersioned: Bool) throws(BNRError) {
        layout = source.layout
        file = try? source.file.get()
        self.isVersioned = isVersioned
        guard let stored = catalog[layout.storedName] else {
            throw BNRError(.invalidLayout, "the store has no class \(layout.storedName) for the objects of \(layout.name)")
        }
        self.stored = stored
        let present = stored.properties.filter { !$0.isGone }
        properties = Dictionary(present.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        guard case .fields(let fields) = layout.content else { return }
        for field in fields {
            guard let name = field.property else { continue }
            let property = try property(name)
            guard property.relationship?.shape == .set && field.kind.shape == .list || property.relationship?.shape == field.kind.shape
            else {
                throw mismatch(name, "has the type \(property.typeText), which does not match the field")
            }
        }
    }

    func property(_ name: String) throws(BNRError) -> ObjectCatalog.Property {
        guard let property = properties[name] else {
            throw BNRError(.invalidLayout, "\(stored.name) has no property \(name) for a field of \(layout.name)")
        }
        if property.relationship?.isDerived == true {
            throw mismatch(name, "is determined by its inverse and cannot be set; omit the property of the field")
        }
        return property
    }

    private func mismatch(_ name: String, _ what: String) -> BNRError { BNRError(.invalidLayout, "\(stored.name).\(name) \(what)") }

    /// The properties that fields fill; `nil` if a closure determines them.
    var filled: Set<String>? {
        guard case .fields(let fields) = layout.content else { return nil }
        return Set(fields.compactMap(\.property))
    }

    // MARK: Objects

    /// The values read from an object.
    struct Object {
        var row: UInt32
        var version: UInt8?
        var wasEncrypted: Bool
        var values: [(property: ObjectCatalog.Property, value: Value)]
    }

    enum Value {
        case value(RecordValue)
        case references([BNRReference])
    }

    /// Reads an object.
    ///
    /// - Throws: `malformedRecord`.
    func object(row: UInt32) throws(BNRError) -> Object? {
        guard let content = file?.content(row: row) else { return nil }
        do throws(BNRError) { return try object(row, content) } catch {
            let mayBeEncrypted = !content.wasEncrypted && !content.bytes.isEmpty && content.bytes.count.isMultiple(of: 16)
            let hint = mayBeEncrypted ? "; it may be encrypted with another passphrase" : ""
            throw BNRError(.malformedRecord, "\(layout.name) \(row) cannot be read: \(error.message)\(hint)", cause: error.cause)
        }
    }

    private func object(_ row: UInt32, _ content: BNRClassFile.Content) throws(BNRError) -> Object {
        if isVersioned, content.bytes.isEmpty { throw BNRError(.malformedRecord, "it is empty, without even a version") }
        let version = isVersioned ? content.bytes.first : nil
        var buffer = BNRBuffer(content.bytes.dropFirst(isVersioned ? 1 : 0), version: version)
        var values: [(property: ObjectCatalog.Property, value: Value)] = []
        switch layout.content {
        case .fields(let fields):
            for field in fields where version.map({ field.versions.contains($0) }) ?? true {
                let value = try field.kind.read(&buffer)
                guard let name = field.property else { continue }
                values.removeAll { $0.property.name == name }
                values.append(try converted(value, property(name)))
            }
        case .closure(let read):
            let read = try called(read, &buffer)
            for (name, value) in read.sorted(by: { $0.key < $1.key }) { values.append(try converted(value, property(name))) }
        }
        guard layout.ignoresRest || buffer.remainingCount == 0 else {
            throw BNRError(.malformedRecord, "\(buffer.remainingCount) bytes follow the last field")
        }
        return Object(row: row, version: version, wasEncrypted: content.wasEncrypted, values: values)
    }

    private func called(_ read: BNRClassLayout.Read, _ buffer: inout BNRBuffer) throws(BNRError) -> [String: BNRValue] {
        do { return try read(&buffer) } catch {
            if let error = error as? BNRError { throw error }
            throw BNRError(.malformedRecord, "the closure that reads it failed", cause: error)
        }
    }

    private func converted(
        _ value: BNRValue,
        _ property: ObjectCatalog.Property
    ) throws(BNRError) -> (property: ObjectCatalog.Property, value: Value) {
        switch (property.relationship?.shape, value) {
        case (.one, .object(let reference)): return (property, .references(reference.map { [$0] } ?? []))
        case (.list, .objects(let references)), (.set, .objects(let references)): return (property, .references(references))
        case (nil, _):
            guard let converted = property.type.flatMap({ value.value(as: $0) }) else { fallthrough }
            return (property, .value(converted))
        default:
            throw BNRError(
                .malformedRecord,
                "\(value.phrase) in the old object cannot be converted to the \(property.typeText) of \(property.name)"
            )
        }
    }
}
