import CairnCDB
import CairnCore
import Synchronization

/// A persistent dictionary in a constant database: each operation is a save, which rewrites the whole file.
package final class CDBSubject: CrashSubject {
    package static let name = "cdb"
    package static let workload = {
        var workload = CrashWorkload(spaces: [.init("default", .bytes(0..<400))])
        workload.deletesRanges = false
        workload.keys = 60
        workload.tidiesOneIn = 20
        return workload
    }()

    let store: CDBStore<[UInt8], [UInt8]>
    private let path: String
    /// A save writes all changes there are, so an operation is changed and saved at a time.
    private let turn = Mutex(())

    package init(directory: String) throws {
        path = directory + "/store.cdb"
        store = try CDBStore(path: path, codec: .raw)
    }

    package func commit(_ operation: CrashOperation, midway: () -> Void) throws {
        try turn.withLock { _ in
            for (index, change) in operation.changes.enumerated() {
                if index == operation.changes.count / 2 { midway() }
                switch change.action {
                case .put(let key, let value): try store.put(value, for: key)
                case .delete(let key): try store.delete(key)
                case .add, .move, .deleteRange: throw CrashDamage("a dictionary has no \(change.action)")
                }
            }
            try store.save()
        }
    }

    /// Reads the file again.
    package func tidy(waits: Bool) throws { try turn.withLock { _ in try store.reload() } }

    package func contents() throws -> CrashContents {
        if let reader = try existingReader() { try reader.verify() }
        let entries = try store.entries()
        guard try store.count == entries.count else { throw CrashDamage("\(try store.count) keys are counted, \(entries.count) found") }
        for (key, value) in entries where try store[key] != value {
            throw CrashDamage("key \(key) has another value when it is looked up")
        }
        return ["default": Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) })]
    }

    private func existingReader() throws -> CDBReader? {
        do throws(CDBError) { return try CDBReader(path: path) } catch  where error.code == .notFound { return nil }
    }

    package func close() throws { try store.close() }
}
