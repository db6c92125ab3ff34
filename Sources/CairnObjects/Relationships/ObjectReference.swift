/// What a property holds that leads to one object: who it is. Objects are kept in memory by a reference only as long as its owner belongs to
/// no context.
public struct ObjectReference {
    var id: ObjectID
    /// The object, while the owner belongs to no context.
    var object: (any StoredObject)?

    /// A reference to nothing.
    public static var none: ObjectReference { ObjectReference(id: ObjectID(raw: 0), object: nil) }

    private init(id: ObjectID, object: (any StoredObject)?) {
        self.id = id
        self.object = object
    }

    init(_ id: ObjectID) { self.init(id: id, object: nil) }

    /// A reference to `object`.
    public init(_ object: (any StoredObject)?) {
        // Kept also where it has an identity: without a context, the owner could not find it by that.
        self.init(id: object?._$state.id ?? ObjectID(raw: 0), object: object)
    }

    var isNone: Bool { id.raw == 0 && object == nil }
}
