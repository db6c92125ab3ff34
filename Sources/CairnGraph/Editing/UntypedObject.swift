import CairnCore

/// An object of a class that is known from the catalog only.
final class UntypedObject<Tag: UntypedTag>: StoredObject, UntypedContent {
    static var objectSchema: ObjectSchema { UntypedClasses.schema(of: Tag.self) }

    @safe @exclusivity(unchecked) var _$state = ObjectState()
    /// The values by property index; `nil` for properties that the record omits, such as those that are null.
    private var values: [Int: RecordValue] = [:]
    var references: [Int: ObjectReference] = [:]
    var collections: [Int: ObjectCollection] = [:]

    init(_$fault: Void) {}

    /// The value of the property at an index; neither reads nor changes are recorded.
    subscript(index: Int) -> RecordValue? {
        get { values[index] }
        set { values[index] = newValue == .null ? nil : newValue }
    }

    func makeCollection(_ index: Int, isDictionary: Bool) {
        let collection = _$collection(&collections[index])
        if isDictionary { collection.makeDictionary() }
    }

    func _$read(_ reader: inout RecordReader) throws(RecordError) {
        for (index, property) in Self.objectSchema.properties.enumerated() {
            switch property.kind {
            case .value(let type): self[index] = try reader.value(index, of: type)
            case .relationship(let relationship) where relationship.shape == .one: references[index] = try reader.readReference(index)
            case .relationship: collections[index] = try reader.readCollection(index)
            }
        }
    }

    func _$write(_ writer: inout RecordWriter, _ fields: FieldMap) {
        for (index, property) in Self.objectSchema.properties.enumerated() {
            switch property.kind {
            case .value(let type): if let value = values[index] { writer.write(TypedValue(value, type), field: fields[index]) }
            case .relationship(let relationship) where relationship.shape == .one:
                writer.write(references[index] ?? .none, field: fields[index])
            case .relationship: writer.write(collections[index], field: fields[index])
            }
        }
    }

    /// Only the class can read what an older version of it wrote. A save refuses it.
    func migrate(from version: UInt8) { _$state.becomeDamaged() }

    func _$clear() {
        values = [:]
        references = [:]
        collections = [:]
    }
}

/// The content of an ``UntypedObject`` of any class.
protocol UntypedContent: StoredObject {
    /// The value of the property with an index.
    subscript(index: Int) -> RecordValue? { get set }
}

extension RecordReader {
    /// The value of a property whose type is known at run time; `nil` if the record lacks it, or if it is large and stored elsewhere.
    mutating func value(_ index: Int, of type: StoredType) throws(RecordError) -> RecordValue? {
        let tag = UInt(bitPattern: index) < UInt(bitPattern: tagCount) ? unsafe tags[index] : 0
        guard try find(tag) else { return nil }
        do throws(RecordError) {
            let value = try field.value(of: type)
            if field.kind != Wire.none { try field.skip(field.kind) }
            return value
        } catch {
            if try skipsLarge(tag, index) { return nil }
            throw failed(error, tag, index)
        }
    }
}
