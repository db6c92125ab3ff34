import CairnCore
import CairnGraph

/// The entries of a sound store, to be damaged.
struct FuzzedEntries {
    let entries: [(key: [UInt8], value: [UInt8])]
    /// What values end with that were not damaged by chance: those who have the key write them.
    var seal: [UInt8] = []

    /// The entries with changes, each of them a byte that chooses an entry, one that says what to do, and what is needed for it.
    func changed(by bytes: RawSpan) -> EngineCommit {
        var input = [UInt8](copying: bytes)[...]
        var changes = EngineCommit()
        for (key, value) in entries { changes.put(value, for: key) }
        while let place = input.popFirst(), let action = input.popFirst() {
            change(entries[Int(place) % entries.count], action, &input, &changes)
        }
        return changes
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
        let content = entry.value.dropLast(seal.count)
        switch action % 5 {
        case 0: changes.delete(entry.key)
        case 1: changes.put(take() + seal, for: entry.key)
        case 2:
            // Bytes in the place of others.
            var value = Array(content)
            let start = Int(input.popFirst() ?? 0) % (value.count + 1)
            let bytes = take()
            value.replaceSubrange(start..<min(start + bytes.count, value.count), with: bytes)
            changes.put(value + seal, for: entry.key)
        case 3:
            // The entry under another key, which may be shorter or longer.
            changes.put(entry.value, for: Array((entry.key.prefix(Int(input.popFirst() ?? 0)) + take()).prefix(64)))
        default: changes.put(Array(content.prefix(Int(input.popFirst() ?? 0))) + seal, for: entry.key)
        }
    }
}

/// An ``ObjectStoreError`` or an ``EngineError`` is an answer.
func answeringStore(_ body: () throws -> Void) throws {
    do { try body() } catch is ObjectStoreError {} catch is EngineError {}
}
