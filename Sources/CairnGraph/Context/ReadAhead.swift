/// What a context reads before it is asked for: the next objects of a relationship whose objects are used one after the other.
struct ReadAhead {
    /// The most objects that are read at once.
    static let largest = 1024
    private static let smallest = 32
    /// How many times more is read with each call. From a server, a thousand objects take three calls.
    private static let growth = 4
    private static let remoteGrowth = 32

    /// Where an object without values was last made for a collection.
    private var made: (collection: ObjectCollection, position: Int)?
    /// Where the last read ended, and how many objects it read.
    private var end: (collection: ObjectCollection, position: Int, count: Int)?
    /// The objects read; nobody else may retain them yet.
    private var objects: ContiguousArray<any StoredObject> = []
    /// The objects that the last fetch prefetched.
    var prefetched: ContiguousArray<any StoredObject> = []

    mutating func madeFault(_ collection: ObjectCollection, _ position: Int) { made = (collection, position) }

    /// The positions to read with an object, its own first; `nil` if it was not made for a collection, or is the first that is used.
    mutating func next(_ id: ObjectID, isRemote: Bool) -> (collection: ObjectCollection, positions: Range<Int>)? {
        guard let (collection, position) = made, position < collection.count, collection.id(at: position) == id else { return nil }
        var count = 1
        if let end, end.collection === collection, (end.position..<end.position + Self.smallest).contains(position) {
            count = min(max(end.count * (isRemote ? Self.remoteGrowth : Self.growth), Self.smallest), Self.largest)
        }
        let positions = position..<min(position + count, collection.count)
        end = (collection, positions.upperBound, count)
        return positions.count > 1 ? (collection, positions) : nil
    }

    /// Forgets all but what was prefetched.
    mutating func forget() {
        let prefetched = prefetched
        self = ReadAhead()
        self.prefetched = prefetched
    }

    mutating func keep(_ objects: ContiguousArray<any StoredObject>) { self.objects = objects }
}

extension ObjectContext {
    /// Reads the next objects of a relationship together with an object that is used.
    func readAhead(_ object: any StoredObject) {
        guard let (collection, positions) = readAhead.next(object._$state.id, isRemote: store.engine.isRemote) else { return }
        var faults: ContiguousArray<any StoredObject> = []
        for id in collection.ids(in: positions) {
            guard let stored = store.storedClass(number: id.classNumber), stored.schema != nil else { continue }
            let other = resolve(id, stored)
            if other.isFault { faults.append(other) }
        }
        readAhead.keep(faults)
        // An object that cannot be read reports that when it is used. Large ones would take too much memory.
        try? loadFaults(Array(faults), takesLarge: false)
    }

    /// Reads the objects that relationships of other objects refer to.
    func prefetch<Object: StoredObject>(_ keyPaths: [PartialKeyPath<Object>], of objects: [Object]) throws(ObjectStoreError) {
        guard !keyPaths.isEmpty else { return }
        let stored = try knownClass(Object.self)
        var ids: Set<ObjectID> = []
        for keyPath in keyPaths {
            guard let index = stored.schema?.indexOfKeyPath[keyPath], let relation = stored.relations[index] else {
                throw ObjectStoreError(.invalidPredicate, "\(stored.name) can only prefetch its relationships, and \(keyPath) is not one")
            }
            try Relationships.gather(relation, of: objects, self)
            for object in objects { for id in relation.targets(object) where id.raw != 0 { ids.insert(id) } }
        }
        readAhead.prefetched = []
        for id in ids {
            guard let stored = store.storedClass(number: id.classNumber), stored.schema != nil else { continue }
            readAhead.prefetched.append(resolve(id, stored))
        }
        try? loadFaults(readAhead.prefetched.filter(\.isFault))
    }
}
