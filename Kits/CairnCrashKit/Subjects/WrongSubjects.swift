import CairnRocks
import CairnSQLiteGraph
import Synchronization

// Subjects that break a promise on purpose: the harness must find each of them out.

/// Writes past the log: what was not flushed dies with the process.
final class UnloggedRocks: CrashSubjectShape {
    static let name = "rocks-unlogged"
    let right: RocksSubject

    init(directory: String) throws { right = try RocksSubject(directory: directory) }

    func commit(_ operation: CrashOperation, midway: () -> Void) throws {
        try right.commit(operation, options: .unlogged, midway: midway)
    }
}

/// Returns before it writes: holds each operation back until the next comes.
final class Early<Right: CrashSubject>: CrashSubjectShape {
    static var name: String { Right.name + "-early" }
    let right: Right
    private let held = Mutex<CrashOperation?>(nil)

    init(directory: String) throws { right = try Right(directory: directory) }

    func commit(_ operation: CrashOperation, midway: () -> Void) throws {
        let previous = held.withLock { held in
            defer { held = operation }
            return held
        }
        if let previous { try right.commit(previous, midway: midway) }
    }
}

/// Commits each change of an operation by itself.
final class Torn<Right: CrashSubject>: CrashSubjectShape {
    static var name: String { Right.name + "-torn" }
    let right: Right

    init(directory: String) throws { right = try Right(directory: directory) }

    func commit(_ operation: CrashOperation, midway: () -> Void) throws {
        for (index, change) in operation.changes.enumerated() {
            if index == operation.changes.count / 2 { midway() }
            try right.commit(CrashOperation(changes: [change], isSynced: operation.isSynced, tidies: false)) {}
        }
    }
}

/// Saves do not depend on what they have read of objects that they do not change.
final class SkewedObjects: CrashSubjectShape {
    static let name = "objects-sqlite-skewed"
    let right: SQLiteObjects

    init(directory: String) throws { right = try SQLiteObjects(directory: directory) }

    func commit(_ operation: CrashOperation, midway: () -> Void) throws {
        try right.right.store.write(conflictPolicy: .fail, attempts: 10_000) {
            try ObjectSubject.perform(operation, midway: midway, in: $0)
        }
    }
}
