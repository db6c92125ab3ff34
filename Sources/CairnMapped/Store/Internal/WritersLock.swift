import CCairn
import CairnCore
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The lock that serializes writers, across all threads and processes.
///
/// On Linux it is a mutex in the header of the file, which needs no system call and survives the death of its owner. Elsewhere no such mutex exists:
/// there it is a mutex of this process and a lock on a file next to the store's, `.lock`.
final class WritersLock: Sendable {
    private let path: String
    /// The path from the root of the file system.
    private let place: String
    private let fileSystem: FileSystem
    /// How long to wait for others.
    let limit: Duration
    private let counts: MappedCounts

    init(path: String, place: String, fileSystem: FileSystem, limit: Duration, counts: MappedCounts) {
        self.counts = counts
        self.path = path
        self.place = place
        self.fileSystem = fileSystem
        self.limit = limit
        #if os(Linux)
        nanoseconds = UInt64(clamping: limit.clampedNanoseconds)
        #endif
    }

    #if os(Linux)

    private let nanoseconds: UInt64

    /// Initializes the lock in the header as free. No one else may have the file open.
    static func reset(_ header: SharedHeader) throws(MappedStoreError) {
        let error = unsafe cairn_shared_lock_init(header.writersLock)
        guard error == 0 else { throw MappedStoreError(.notSupported, "could not create a lock in shared memory: error \(error)") }
    }

    /// Whether the lock in the header works only in another PID namespace.
    static func isForeign(_ header: SharedHeader) -> Bool { unsafe cairn_shared_lock_is_foreign(header.writersLock) != 0 }

    /// Runs `body` with the lock of the file that `view` shows.
    ///
    /// - Parameter shorterLimit: How long to wait for others, instead of ``limit``.
    /// - Throws: What `body` throws; `busy` if this thread holds the lock, or others have held it for too long; `truncated` if the lock no longer exists.
    @inline(__always)
    func withLock<Result>(
        _ view: MappedView,
        within shorterLimit: Duration? = nil,
        _ body: () throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        var error = unsafe cairn_shared_trylock(view.header.writersLock)
        if error == EBUSY {
            counts.waited.wrappingAdd(1, ordering: .relaxed)
            error = unsafe cairn_shared_lock(
                view.header.writersLock,
                shorterLimit.map { UInt64(clamping: $0.clampedNanoseconds) } ?? nanoseconds
            )
        }
        guard error == 0 else { throw failure(error) }
        defer { if unsafe cairn_shared_unlock(view.header.writersLock) != 0 { Self.keep(view) } }
        return try body()
    }

    /// Whether another thread or process holds the lock of the file that `view` shows, or, if asked for, this thread.
    func isHeld(_ view: MappedView, orByThisThread countsThisThread: Bool = false) -> Bool {
        let error = unsafe cairn_shared_trylock(view.header.writersLock)
        if error == 0, unsafe cairn_shared_unlock(view.header.writersLock) != 0 { Self.keep(view) }
        return error == EBUSY || (countsThisThread && error == EDEADLK)
    }

    /// Keeps the mapping of a file that was truncated while the lock was held: the C library still points to the lock.
    @inline(never)
    private static func keep(_ view: MappedView) { kept.withLock { $0.append(view.region) } }
    private static let kept = Mutex<[MappedRegion]>([])

    #else

    private let file = Mutex<File?>(nil)
    /// The thread that holds the lock; 0 for none.
    private let holder = Atomic<UInt>(0)

    static func reset(_ header: SharedHeader) {}
    static func isForeign(_ header: SharedHeader) -> Bool { false }

    func isHeld(_ view: MappedView, orByThisThread countsThisThread: Bool = false) -> Bool {
        if holder.load(ordering: .relaxed) == UInt(bitPattern: pthread_self()) { return countsThisThread }
        do throws(MappedStoreError) { try withLock(view, within: .zero) {} } catch { return error.code == .busy }
        return false
    }

    func withLock<Result>(
        _ view: MappedView,
        within shorterLimit: Duration? = nil,
        _ body: () throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        let me = UInt(bitPattern: pthread_self())
        guard holder.load(ordering: .relaxed) != me else { throw failure(EDEADLK) }
        let limit = shorterLimit ?? limit
        let start = ContinuousClock.now
        var pause: UInt32 = 50
        var result: Result?
        while true {
            // The threads of this process first: a mutex has no time limit, so this retries.
            let isDone: Void? = try file.withLockIfAvailable { file throws(MappedStoreError) in
                let lock: FileLock
                do throws(FileError) {
                    if file == nil { file = try File(place + ".lock", [.read, .write, .create, .noFollow], fileSystem: fileSystem) }
                    lock = try FileLock.take(file!, .exclusive, within: limit - start.duration(to: .now))
                } catch {
                    throw error.code == .locked ? failure(ETIMEDOUT) : MappedStoreError(error)
                }
                holder.store(me, ordering: .relaxed)
                defer {
                    holder.store(0, ordering: .relaxed)
                    lock.release()
                }
                result = try body()
            }
            if isDone != nil, let result { return result }
            guard start.duration(to: .now) < limit else { throw failure(ETIMEDOUT) }
            usleep(pause)
            pause = min(pause * 2, 1_000)
        }
    }

    #endif

    private func failure(_ error: Int32) -> MappedStoreError {
        if error == EDEADLK {
            return MappedStoreError(
                .busy,
                "could not change \(path): this thread is within a transaction on it; use the transaction passed to its closure"
            )
        }
        if error == ETIMEDOUT {
            return MappedStoreError(
                .busy,
                "could not lock \(path): another thread or process has been changing it for \(limit); it may be stopped, or in a long transaction"
            )
        }
        if error == ESTALE {
            return MappedStoreError(.truncated, "\(path) was truncated while it was open; close the store and open it again")
        }
        if error == ESRCH {
            return MappedStoreError(
                .busy,
                "could not lock \(path): it is held by a thread that no longer exists; close it in all processes, and open it again"
            )
        }
        return MappedStoreError(.ioError, "could not lock \(path): error \(error)")
    }
}
