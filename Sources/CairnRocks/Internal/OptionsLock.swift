import CairnCore
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Held while options are read, changed and set, so that concurrent changes do not overwrite each other. The program's closure makes the changes; a
/// nested change on the same thread throws, because it would wait for itself.
struct OptionsLock: ~Copyable, Sendable {
    private let mutex = Mutex(())
    /// The thread that holds the lock; 0 for none.
    private let holder = Atomic<UInt>(0)

    func withLock(_ attempt: String, _ body: () throws(RocksError) -> Void) throws(RocksError) {
        #if canImport(Glibc)
        let me = pthread_self()
        #else
        let me = UInt(bitPattern: pthread_self())
        #endif
        guard holder.load(ordering: .relaxed) != me else {
            let reason = "a closure on this thread is already changing options of the database; change these in it, or after it"
            throw RocksError(.invalidArgument, "\(attempt): \(reason)")
        }
        try mutex.withLock { (_) throws(RocksError) in
            holder.store(me, ordering: .relaxed)
            defer { holder.store(0, ordering: .relaxed) }
            try body()
        }
    }
}
