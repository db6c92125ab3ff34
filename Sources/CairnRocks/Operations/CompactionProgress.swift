public import CairnCore
import Synchronization

/// The progress of a manual compaction, as far as RocksDB reports it: the work done so far. The total is not known in advance, because a
/// compaction proceeds from level to level and picks its files along the way; it is usually about one to two times the size of the column
/// family.
public struct CompactionProgress: Sendable, Hashable {
    /// The number of completed steps. Each step compacts some files, and its result is in use.
    public internal(set) var completedSteps = 0
    /// How much the completed steps have read.
    public internal(set) var read = ByteCount.zero
    /// The number of files written, including those of incomplete steps.
    public internal(set) var writtenFiles = 0
    /// The total size of the files written, including those of incomplete steps.
    public internal(set) var written = ByteCount.zero
}

/// Turns events into progress.
final class CompactionMeter: Sendable {
    private let columnFamily: String
    private let body: @Sendable (CompactionProgress) -> Void
    private let state = Mutex((progress: CompactionProgress(), jobs: Set<Int>()))

    init(columnFamily: String, _ body: @escaping @Sendable (CompactionProgress) -> Void) {
        self.columnFamily = columnFamily
        self.body = body
    }

    func add(_ event: DatabaseEvent) {
        let changed: CompactionProgress? = state.withLock { state in
            switch event {
            case .compactionBegan(let compaction) where compaction.isManual && compaction.columnFamily == columnFamily:
                state.jobs.insert(compaction.job)
                return nil
            case .tableFileCreated(let file) where file.error == nil && file.columnFamily == columnFamily && state.jobs.contains(file.job):
                state.progress.writtenFiles += 1
                state.progress.written += file.size
            case .compactionCompleted(let compaction) where compaction.columnFamily == columnFamily && state.jobs.contains(compaction.job):
                state.jobs.remove(compaction.job)
                guard compaction.error == nil else { return nil }
                state.progress.completedSteps += 1
                state.progress.read += compaction.inputSize
            default: return nil
            }
            return state.progress
        }
        if let changed { body(changed) }
    }
}
