import CairnCore
import CairnObjects

/// Object stores in which entries of the engine are damaged: everything that can be called answers or throws, and what can be mended is mended.
public struct ObjectStoreFuzzTarget: FuzzTarget {
    public static let name = "object-stores"

    /// The entries of a sound store.
    private let entries: [(key: [UInt8], value: [UInt8])]

    public init() throws {
        let engine = MemoryEngine()
        try FuzzedObjects.fill(ObjectStore(engine: engine, classes: FuzzedObjects.classes))
        entries = try engine.makeView().entries()
    }

    /// The input is changes of the entries, each of them a byte that chooses an entry, one that says what to do, and what is needed for it.
    public func check(_ bytes: RawSpan) throws {
        var input = [UInt8](copying: bytes)[...]
        var changes = EngineCommit()
        for (key, value) in entries { changes.put(value, for: key) }
        while let place = input.popFirst(), let action = input.popFirst() {
            change(entries[Int(place) % entries.count], action, &input, &changes)
        }
        for knowsClasses in [true, false] {
            let engine = MemoryEngine()
            try engine.commit(changes)
            try answering { try examine(engine, knowsClasses ? FuzzedObjects.classes : []) }
        }
    }

    private func change(
        _ entry: (key: [UInt8], value: [UInt8]),
        _ action: UInt8,
        _ input: inout ArraySlice<UInt8>,
        _ changes: inout EngineCommit
    ) {
        func take() -> [UInt8] {
            let count = Int(input.popFirst() ?? 0)
            defer { input = input.dropFirst(count) }
            return Array(input.prefix(count))
        }
        switch action % 5 {
        case 0: changes.delete(entry.key)
        case 1: changes.put(take(), for: entry.key)
        case 2:
            // Bytes in the place of others.
            var value = entry.value
            let start = Int(input.popFirst() ?? 0) % (value.count + 1)
            let bytes = take()
            value.replaceSubrange(start..<min(start + bytes.count, value.count), with: bytes)
            changes.put(value, for: entry.key)
        case 3:
            // The entry under another key, which may be shorter or longer.
            changes.put(entry.value, for: Array((entry.key.prefix(Int(input.popFirst() ?? 0)) + take()).prefix(64)))
        default: changes.put(Array(entry.value.prefix(Int(input.popFirst() ?? 0))), for: entry.key)
        }
    }

    /// An ``ObjectStoreError`` or an ``EngineError`` is an answer.
    private func answering(_ body: () throws -> Void) throws {
        do { try body() } catch is ObjectStoreError {} catch is EngineError {}
    }

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
