import CairnCore
import CairnGraph

/// Object stores in which entries of the engine are damaged: every call answers or throws, and what can be repaired is repaired.
public struct ObjectStoreFuzzTarget: FuzzTarget {
    public static let name = "object-stores"

    private let entries: FuzzedEntries

    public init() throws {
        let engine = MemoryEngine()
        try FuzzedObjects.fill(ObjectStore(engine: engine, classes: FuzzedObjects.classes))
        entries = FuzzedEntries(entries: try engine.makeView().entries())
    }

    /// The input is changes of the entries.
    public func check(_ bytes: RawSpan) throws {
        let changes = entries.changed(by: bytes)
        for knowsClasses in [true, false] {
            let engine = MemoryEngine()
            try engine.commit(changes)
            try answering { try examine(engine, knowsClasses ? FuzzedObjects.classes : []) }
        }
    }

    private func answering(_ body: () throws -> Void) throws { try answeringStore(body) }

    private func examine(_ engine: MemoryEngine, _ classes: [any StoredObject.Type]) throws {
        let store = try ObjectStore(engine: engine, classes: classes)
        _ = try store.verify()
        try answering { try inspect(store) }
        if !classes.isEmpty {
            try answering { try store.read { try FuzzedObjects.read($0, answering) } }
            try FuzzedObjects.change(store, answering)
            try answering { try store.rebuildIndexes() }
        }
        try answering { try repair(store) }
        let opens = (try? ObjectStore(engine: engine, classes: classes)) != nil
        try require(opens, "after a repair the store cannot be opened")
    }

    /// What follows from the records is as it should be after a repair.
    private func repair(_ store: ObjectStore) throws {
        try store.repair()
        let left = try store.verify().problems
        for problem in left {
            let kinds: [ObjectStoreVerification.Problem.Kind] = [
                .missingBackReference, .surplusBackReference, .looseLargeRecord, .rowBeyondLast,
            ]
            try require(!kinds.contains(problem.kind), "after a repair, \(problem.kind): \(problem.reason)")
        }
    }

    private func inspect(_ store: ObjectStore) throws {
        try store.inspect { inspector in
            for stored in store.catalog.classes {
                try answering { _ = try inspector.count(stored) }
                try answering { _ = try inspector.size(stored) }
                try inspector.forEach(stored) { dump in
                    if case .success(let object) = dump {
                        try answering { _ = try inspector.referrers(to: object.id) }
                        try answering { _ = try inspector.object(object.id) }
                    }
                    return true
                }
            }
            try inspector.forEachName { _ in true }
            _ = try inspector.backReferenceSize()
            _ = try inspector.nameSize()
        }
    }
}
