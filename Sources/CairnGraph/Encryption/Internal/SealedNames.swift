import CairnCore
import CairnEngine
import Synchronization

/// The known names of an encrypted store, by their hashes, which are the keys that store them: the feed of its engine has only the hashes.
final class SealedNames: Sendable {
    private let known = Mutex<[[UInt8]: [UInt8]]>([:])

    /// The number of names that are remembered. Names are few: they are those of values that a program stores under a name.
    private static let most = 10_000

    func note(_ name: [UInt8], storedAs storedKey: [UInt8]) {
        known.withLock { known in
            if known.count >= Self.most, known[storedKey] == nil { known = [:] }
            known[storedKey] = name
        }
    }

    /// Translates a commit of the engine below to plain keys.
    ///
    /// - Parameter read: Reads and notes names by the keys that store them.
    func plain(_ change: EngineChange, read: ([[UInt8]]) -> Void) -> EngineChange {
        guard !change.isEverything else { return change }
        var keys: [[UInt8]] = []
        var storedKeys: [[UInt8]] = []
        for index in 0..<change.keys.count {
            let key = [UInt8](copying: change.keys[index])
            switch unsafe SealedForm.Kind(key.span.bytes) {
            case .encryption: break
            case .identity, .value: keys.append(key)
            case .name: storedKeys.append(key)
            }
        }
        var ranges: [KeyRange] = []
        for range in change.deletedRanges {
            for part in SealedRange.parts(of: range) { ranges.append(part.holdsNames ? SealedRange.names : part.range) }
        }
        let unknown = known.withLock { known in storedKeys.filter { known[$0] == nil } }
        if !unknown.isEmpty { read(unknown) }
        let names = known.withLock { known in storedKeys.map { known[$0] } }
        keys += names.compactMap { $0 }
        if names.contains(nil) { ranges.append(SealedRange.names) }
        return EngineChange(version: change.version, keys: Self.sorted(keys), deletedRanges: Self.sorted(ranges))
    }

    private static func sorted(_ keys: [[UInt8]]) -> KeyList {
        var list = KeyList()
        for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) { list.append(key) }
        list.isSorted = true
        return list
    }

    /// Ranges in order. They do not overlap, but the range of the names may occur several times.
    private static func sorted(_ ranges: [KeyRange]) -> [KeyRange] {
        var sorted: [KeyRange] = []
        for range in ranges.sorted(by: { $0.lowerBound.lexicographicallyPrecedes($1.lowerBound) }) where sorted.last != range {
            sorted.append(range)
        }
        return sorted
    }
}
