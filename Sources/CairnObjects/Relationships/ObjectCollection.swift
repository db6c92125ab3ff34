/// What a property holds that leads to several objects: who they are, in order. Shared by the property's owner and the ``ObjectList``,
/// ``ObjectSet`` or ``ObjectDictionary`` that is lent of it.
public final class ObjectCollection {
    /// Who they are; those without an identity yet have 0.
    var ids: ContiguousArray<ObjectID>
    /// The objects at the same places, while the owner belongs to no context.
    var objects: [(any StoredObject)?]?
    /// The keys at the same places, encoded; of a dictionary only.
    var keys: ContiguousArray<[UInt8]>?
    /// Whether the content of a property that the other side tells is there.
    var isGathered = true

    /// An empty collection, of an owner that belongs to no context.
    public init() {
        ids = []
        objects = []
    }

    init(ids: ContiguousArray<ObjectID>, keys: ContiguousArray<[UInt8]>? = nil) {
        self.ids = ids
        self.keys = keys
        objects = nil
    }

    /// Takes the identities of the objects, which have one now.
    func attach() {
        guard let objects else { return }
        for (index, object) in objects.enumerated() { if let object { ids[index] = object._$state.id } }
        self.objects = nil
    }
}
