import CairnGraph

/// A class of the layout, its file, and the class of the store that its objects go to.
struct ImportClass {
    let layout: BNRClassLayout
    let stored: ObjectCatalog.Class
    /// `nil` where it cannot be read.
    let file: BNRClassFile?
    /// The properties that it may fill, by their names.
    let properties: [String: ObjectCatalog.Property]
    private let isVersioned: Bool

    /// Finds the class in the store.
    ///
    /// - Throws: `invalidLayout` where it is not there, or has not the properties, or these hold something else.
    init(_ source: ImportSource, _ catalog: ObjectCatalog, isVersioned: Bool) throws(BNRError) {
        layout = source.layout
        file = try? source.file.get()
        self.isVersioned = isVersioned
        guard let stored = catalog[layout.storedName] else {
            throw BNRError(.invalidLayout, "the store has no class \(layout.storedName), which objects of \(layout.name) are to become")
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
                throw mismatch(name, "holds \(property.typeText), and the field does not")
            }
        }
    }

    func property(_ name: String) throws(BNRError) -> ObjectCatalog.Property {
        guard let property = properties[name] else {
            throw BNRError(.invalidLayout, "\(stored.name) has no property \(name), which a field of \(layout.name) is to become")
        }
        if property.relationship?.isDerived == true {
            throw mismatch(name, "is told by its inverse, and cannot be filled; leave the property of the field out")
        }
        return property
    }

    private func mismatch(_ name: String, _ what: String) -> BNRError { BNRError(.invalidLayout, "\(stored.name).\(name) \(what)") }

    /// The properties that fields fill; `nil` where only a closure knows.
    var filled: Set<String>? {
        guard case .fields(let fields) = layout.content else { return nil }
        return Set(fields.compactMap(\.property))
    }

    // MARK: Objects

    /// What was read of an object.
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
        if isVersioned, content.bytes.isEmpty { throw BNRError(.malformedRecord, "it has no bytes, not even its version") }
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
            throw BNRError(.malformedRecord, "\(buffer.remainingCount) bytes are behind the last field")
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
                "\(property.name) holds \(property.typeText), which \(value.phrase) of the old object cannot become"
            )
        }
    }
}
