import CairnCore

/// A property of the object that a to-one property refers to.
protocol TargetPath {
    /// The index of the to-one property.
    var relationship: Int { get }
    /// The other class.
    var target: any StoredObject.Type { get }
    /// The property's name; empty if it is computed.
    var name: String { get }
    func makeKeys(_ context: ObjectContext) throws(ObjectStoreError) -> any TargetKeys
}

/// The keys of a property, by object. Each object is read once.
protocol TargetKeys: AnyObject {
    func key(_ id: ObjectID) throws(ObjectStoreError) -> [UInt8]
}

struct TypedTargetPath<Target: StoredObject>: TargetPath {
    let relationship: Int
    private let property: ConditionProperty
    var target: any StoredObject.Type { Target.self }
    var name: String { property.index == nil ? "" : property.name }

    init(_ relationship: Int, _ property: ConditionProperty) {
        self.relationship = relationship
        self.property = property
    }

    func makeKeys(_ context: ObjectContext) throws(ObjectStoreError) -> any TargetKeys { TypedTargetKeys<Target>(context, property) }
}

private final class TypedTargetKeys<Target: StoredObject>: TargetKeys {
    private let context: ObjectContext
    private let property: ConditionProperty
    private var known: [ObjectID: [UInt8]] = [:]
    private var encoder = KeyEncoder(capacity: 64)

    init(_ context: ObjectContext, _ property: ConditionProperty) {
        self.context = context
        self.property = property
    }

    func key(_ id: ObjectID) throws(ObjectStoreError) -> [UInt8] {
        if let key = known[id] { return key }
        encoder.removeAll()
        if let target = try context.current(id, as: Target.self) {
            property.encode(target, &encoder)
        } else {
            encoder.encodeNull()
        }
        known[id] = encoder.bytes
        return encoder.bytes
    }
}
