import CairnCore
import CairnMapped
import Foundation
import Synchronization

/// A mapped store of a thousand small values that is compacted all the time.
package final class MappedSubject: CrashSubject {
    package static let name = "mapped"
    package static let workload = makeWorkload(keys: 125, .bytes(80..<100))

    let store: MappedStore

    package convenience init(directory: String) throws { try self.init(directory: directory, leastWaste: .kibibytes(64)) }

    /// Operations on so many keys of each writer in each of two spaces.
    static func makeWorkload(keys: Int, _ values: CrashWorkload.Space.Values) -> CrashWorkload {
        var workload = CrashWorkload(spaces: [.init("default", values), .init("counters", .counters)])
        workload.keys = keys
        workload.deletesRanges = false
        workload.syncsOneIn = 1_000
        return workload
    }

    init(directory: String, leastWaste: ByteCount, cipher: (any MappedCipher)? = nil) throws {
        var options = MappedStoreOptions()
        options.compaction = .init(wasteRatio: 0.4, minimumWaste: leastWaste)
        options.cipher = cipher
        store = try MappedStore(path: directory + "/store.map", options: options)
        guard store.openReport.isClean else { throw CrashDamage("found damage: \(store.openReport)") }
    }

    /// A transaction where there are several changes, else the single call.
    package func commit(_ operation: CrashOperation, midway: () -> Void) throws {
        if operation.changes.count == 1 {
            midway()
            try perform(operation.changes[0])
        } else {
            try store.transaction { changes in
                for (index, change) in operation.changes.enumerated() {
                    if index == operation.changes.count / 2 { midway() }
                    try Self.perform(change, in: &changes)
                }
            }
        }
        if operation.isSynced { try store.sync() }
    }

    func perform(_ change: CrashOperation.Change) throws {
        switch change.action {
        case .put(let key, let value): try store.set(value, for: Self.text(change.space, key))
        case .delete(let key): try store.remove(Self.text(change.space, key))
        case .add(let key, let amount):
            try store.update(Self.text(change.space, key), as: [UInt8].self) { $0 = CrashModel.sum($0, amount) }
        case .move, .deleteRange: throw CrashDamage("a mapped store has no \(change.action)")
        }
    }

    private static func perform(_ change: CrashOperation.Change, in changes: inout MappedTransaction) throws {
        switch change.action {
        case .put(let key, let value): try changes.set(value, for: text(change.space, key))
        case .delete(let key): changes.remove(text(change.space, key))
        case .add(let key, let amount):
            let key = text(change.space, key)
            try changes.set(CrashModel.sum(try changes.get(key, as: [UInt8].self), amount), for: key)
        case .move, .deleteRange: throw CrashDamage("a mapped store has no \(change.action)")
        }
    }

    /// The key as text, behind the name of the space.
    private static func text(_ space: String, _ key: [UInt8]) -> String { space + ":" + KeyText.text(key) }

    package func tidy(waits: Bool) throws {
        if waits { try compact() } else { Thread.detachNewThread { [self] in try? compact() } }
    }

    private func compact() throws {
        do throws(MappedStoreError) { try store.compact() } catch {
            // Somebody else does it at this moment.
            guard error.code == .busy || error.code == .conflict else { throw error }
        }
    }

    package func contents() throws -> CrashContents {
        let verification = try store.verify()
        guard verification.isIntact else { throw CrashDamage("verification finds \(verification)") }
        var contents: CrashContents = [:]
        let entries = try store.entries()
        guard try store.count == entries.count else { throw CrashDamage("\(try store.count) keys are counted, \(entries.count) found") }
        for entry in entries {
            guard case .bytes(let value) = entry.value, let colon = entry.key.firstIndex(of: ":") else {
                throw CrashDamage("\(entry.key) is \(entry.value)")
            }
            guard try store.get(entry.key) == value else { throw CrashDamage("\(entry.key) has another value when it is looked up") }
            let key = Array(KeyText.bytes(entry.key[colon...]).dropFirst())
            guard contents[String(entry.key[..<colon]), default: [:]].updateValue(value, forKey: key) == nil else {
                throw CrashDamage("\(entry.key) is there twice")
            }
        }
        return contents
    }

    package func close() throws { try store.close() }
}
