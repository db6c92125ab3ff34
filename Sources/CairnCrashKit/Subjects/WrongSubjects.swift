import CairnRocks
import Synchronization

// Subjects that break a promise on purpose: the harness must find each of them out.

/// A subject that differs from ``RocksSubject`` in how it commits.
protocol WrongRocks: CrashSubject {
    var right: RocksSubject { get }
}

extension WrongRocks {
    package static var workload: CrashWorkload { RocksSubject.workload }
    package func tidy(waits: Bool) throws { try right.tidy(waits: waits) }
    package func contents() throws -> CrashContents { try right.contents() }
    package func close() throws { try right.close() }
}

/// Writes past the log: what was not flushed dies with the process.
final class UnloggedRocks: WrongRocks {
    static let name = "rocks-unlogged"
    let right: RocksSubject

    init(directory: String) throws { right = try RocksSubject(directory: directory) }

    func commit(_ operation: CrashOperation, midway: () -> Void) throws {
        try right.commit(operation, options: .unlogged, midway: midway)
    }
}

/// Returns before it writes: holds each operation back until the next comes.
final class EarlyRocks: WrongRocks {
    static let name = "rocks-early"
    let right: RocksSubject
    private let held = Mutex<CrashOperation?>(nil)

    init(directory: String) throws { right = try RocksSubject(directory: directory) }

    func commit(_ operation: CrashOperation, midway: () -> Void) throws {
        let previous = held.withLock { held in
            defer { held = operation }
            return held
        }
        if let previous { try right.commit(previous, midway: midway) }
    }
}

/// Writes the changes of an operation one by one.
final class TornRocks: WrongRocks {
    static let name = "rocks-torn"
    let right: RocksSubject

    init(directory: String) throws { right = try RocksSubject(directory: directory) }

    func commit(_ operation: CrashOperation, midway: () -> Void) throws {
        for (index, change) in operation.changes.enumerated() {
            if index == operation.changes.count / 2 { midway() }
            try right.commit(CrashOperation(changes: [change], isSynced: operation.isSynced, tidies: false)) {}
        }
    }
}
