/// The content of a to-one property: an object's identity. Retains the object only while the owner belongs to no context.
public struct ObjectReference {
    var id: ObjectID
    /// The object, while the owner belongs to no context.
    var object: (any StoredObject)?

    /// A reference to no object.
    public static var none: ObjectReference { ObjectReference(id: ObjectID(raw: 0), object: nil) }

    private init(id: ObjectID, object: (any StoredObject)?) {
        self.id = id
        self.object = object
    }

    init(_ id: ObjectID) { self.init(id: id, object: nil) }

    /// A reference to `object`.
    public init(_ object: (any StoredObject)?) {
        // Retained even if it has an identity: without a context, the owner could not resolve it.
        self.init(id: object?._$state.id ?? ObjectID(raw: 0), object: object)
    }

    /// Stands for an object whose class is not stored; inserting the owner then fails.
    static var refused: ObjectReference { ObjectReference(ObjectID(raw: .max)) }

    var isRefused: Bool { id.raw == .max }

    var isNone: Bool { id.raw == 0 && object == nil }
}
