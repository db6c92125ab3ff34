import CairnCore
import CairnRocksGraph

/// Saves of up to tens of thousands of objects, among saves of one: about every second save of several is large enough for a sorted file.
final class BulkObjects: CrashSubjectShape {
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

    init(directory: String) throws { right = try ObjectSubject(directory: directory, largeCommitCount: 50_000) }
}

/// Every save of more than a few objects is a sorted file that the engine takes over.
final class IngestedObjects: CrashSubjectShape {
    static let name = "objects-ingested"
    let right: ObjectSubject

    init(directory: String) throws { right = try ObjectSubject(directory: directory, largeCommitCount: 10) }
}

/// The entries of nearly every playlist are in chunks, and its numbers in parts.
final class ChunkedObjects: CrashSubjectShape {
    static let name = "objects-chunked"
    let right: ObjectSubject

    init(directory: String) throws { right = try ObjectSubject(directory: directory, longestChunk: 3) }
}
