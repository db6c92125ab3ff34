import CCairn
import Synchronization

/// One compaction at a time in this process.
///
/// The child of a fork has its own turn: a compaction running in the parent does not run in the child, and would never end there.
final class CompactionTurn: Sendable {
    final class Turn: Sendable {
        let lock = Mutex(())
        /// Whether a background compaction has started, or will.
        let isDue = Atomic(false)
        private let thread = Atomic<UInt>(0)

        /// Whether this thread is the one compacting.
        var isMine: Bool { thread.load(ordering: .relaxed) == cairn_thread_id() }
        func begin() { thread.store(cairn_thread_id(), ordering: .relaxed) }
        func end() { thread.store(0, ordering: .relaxed) }
    }

    private let turn = Mutex((fork: cairn_fork_count(), turn: Turn()))

    /// The turn of this process.
    var current: Turn {
        let fork = cairn_fork_count()
        return turn.withLock { turn in
            if turn.fork != fork { turn = (fork, Turn()) }
            return turn.turn
        }
    }
}
