import CairnCore
import CairnObjects

/// A subject that differs from ``ObjectSubject`` in the size of its saves, or in how they are written.
protocol ObjectShape: CrashSubject {
    var right: ObjectSubject { get }
}

extension ObjectShape {
    package func commit(_ operation: CrashOperation, midway: () -> Void) throws { try right.commit(operation, midway: midway) }
    package func tidy(waits: Bool) throws { try right.tidy(waits: waits) }
    package func contents() throws -> CrashContents { try right.contents() }
    package func close() throws { try right.close() }
}

/// Saves of up to tens of thousands of objects, among saves of one: about every second save of several is large enough for a sorted file.
final class BulkObjects: ObjectShape {
    static let name = "objects-bulk"
    static let roundCost = 10
    static let workload: CrashWorkload = {
        var workload = ObjectSubject.workload
        workload.spaces = [.init("songs", .bytes(0..<4_000)), .init("playlists", .sequences(0..<20)), .init("names", .counters)]
        workload.keys = 3_000
        workload.maximumChanges = 12_000
        workload.tidiesOneIn = 20
        workload.operationsInRound = 6
        workload.killsWithin = .milliseconds(20)..<(.seconds(3))
        return workload
    }()
    let right: ObjectSubject

    init(directory: String) throws { right = try ObjectSubject(directory: directory) }
}

/// Every save of more than a few objects is a sorted file that the engine takes over.
final class IngestedObjects: ObjectShape {
    static let name = "objects-ingested"
    static let workload = ObjectSubject.workload
    let right: ObjectSubject

    init(directory: String) throws { right = try ObjectSubject(directory: directory, largeCommitCount: 10) }
}

/// Saves after each change of an operation: wrong on purpose, and must be found out.
final class TornObjects: ObjectShape {
    static let name = "objects-torn"
    static let workload = ObjectSubject.workload
    let right: ObjectSubject

    init(directory: String) throws { right = try ObjectSubject(directory: directory) }

    func commit(_ operation: CrashOperation, midway: () -> Void) throws {
        for (index, change) in operation.changes.enumerated() {
            if index == operation.changes.count / 2 { midway() }
            try right.commit(CrashOperation(changes: [change], isSynced: operation.isSynced, tidies: false)) {}
        }
    }
}
