public import CairnCore

/// A stored object, read without its Swift class.
public struct ObjectDump: Hashable, Sendable {
    /// Its identity.
    public var id: ObjectID
    /// The name of its class in the store.
    public var className: String
    /// The version of the class that wrote the record.
    public var version: UInt8
    /// How often the object was saved.
    public var changeCount: UInt32
    /// The size of the record.
    public var byteCount: Int
    /// The properties in the record, in ascending order of their numbers, including those that the class no longer has.
    public var fields: [Field]

    /// A property with its value.
    public struct Field: Hashable, Sendable {
        /// The name of the property in the store.
        public var name: String
        /// Its value.
        public var value: Value

        /// Makes a field.
        public init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The value of a property.
    public enum Value: Hashable, Sendable {
        case value(RecordValue)
        /// The object that a to-one property refers to; `nil` if there is none.
        case one(ObjectID?)
        /// The objects of a list or a set.
        case many([ObjectID])
        /// The objects of a dictionary, with their keys.
        case keyed([Entry])
    }

    /// An object of a dictionary.
    public struct Entry: Hashable, Sendable {
        /// Its key.
        public var key: KeyTuple
        /// Its identity.
        public var object: ObjectID

        /// Makes an entry.
        public init(key: KeyTuple, object: ObjectID) {
            self.key = key
            self.object = object
        }
    }

    /// Makes a dump, to be stored by an ``ObjectImporter``.
    public init(id: ObjectID, className: String, version: UInt8, changeCount: UInt32 = 1, fields: [Field]) {
        self.id = id
        self.className = className
        self.version = version
        self.changeCount = changeCount
        byteCount = 0
        self.fields = fields
    }

    /// The value of a property, or `nil` if the record does not have it.
    public subscript(name: String) -> Value? { fields.first { $0.name == name }?.value }
}

extension ObjectDump.Value {
    /// The value of a relationship field.
    ///
    /// - Parameter all: Returns the references of a long list.
    init(
        kind: WireKind,
        _ value: RecordValue,
        isDictionary: Bool,
        _ all: (LongList) throws(RecordError) -> ReferenceList.Content
    ) throws(RecordError) {
        switch value {
        case .null: self = .one(nil)
        case .reference(let number, let row):
            guard number <= UInt64(UInt16.max), row <= ObjectID.maximumRow else {
                throw RecordError.malformed("a reference has an invalid row")
            }
            self = .one(row == 0 ? nil : ObjectID(class: UInt16(number), row: row))
        case .references(let bytes):
            var reader = unsafe FieldReader(bytes.span.bytes)
            let collection = try ReferenceList.decode(&reader)
            let content = if let long = collection.long { try all(long) } else { collection.short }
            guard let keys = content.keys else {
                self = isDictionary ? .keyed([]) : .many(Array(content.ids))
                return
            }
            var entries: [ObjectDump.Entry] = []
            for (key, id) in zip(keys, content.ids) {
                guard let key = try? KeyTuple(keyBytes: key) else { throw RecordError.malformed("the key of a dictionary cannot be read") }
                entries.append(ObjectDump.Entry(key: key, object: id))
            }
            self = .keyed(entries)
        default: throw RecordError.mismatch(kind.rawValue, "a reference")
        }
    }
}
