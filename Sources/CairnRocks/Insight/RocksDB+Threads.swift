import CRocks
import CairnCore

/// A thread pool for flushes and compactions. All databases of the process share the pools.
public enum ThreadPool: Sendable, CaseIterable {
    /// For flushes; RocksDB's `HIGH`.
    case high
    /// For compactions, and for flushes if ``high`` has no threads; RocksDB's `LOW`.
    case low
    /// For compactions into the last level, if the pool has threads; RocksDB's `BOTTOM`.
    case bottom

    var shimPool: crk_thread_pool {
        switch self {
        case .high: CRK_POOL_HIGH
        case .low: CRK_POOL_LOW
        case .bottom: CRK_POOL_BOTTOM
        }
    }
}

/// What one of RocksDB's threads is doing; RocksDB's `ThreadStatus`.
public struct ThreadStatus: Sendable, Hashable {
    /// The number of the thread.
    public let id: UInt64
    /// `High Pri`, `Low Pri`, `Bottom Pri`, or `User`.
    public let type: String
    /// The path of the database that the thread works for; `nil` if it is idle.
    public let databasePath: String?
    /// The column family that the thread works for; `nil` if it is idle.
    public let columnFamilyName: String?
    /// `Compaction` or `Flush`; `nil` if the thread is idle.
    public let operation: String?
    /// The current stage of the operation, in RocksDB's words.
    public let stage: String?
    /// What the thread waits for, such as `Mutex Wait`; `nil` while it works.
    public let state: String?
    /// How long the operation has taken so far.
    public let elapsed: Duration
    /// The operation's numbers, such as `JobID`, `BytesRead`, `BytesWritten`.
    public internal(set) var properties: [String: UInt64] = [:]

    init(_ thread: crk_thread) {
        func text(_ bytes: crk_bytes) -> String? { unsafe bytes.size == 0 ? nil : bytes.text }
        id = unsafe thread.id
        type = unsafe thread.type.text
        databasePath = unsafe text(thread.database)
        columnFamilyName = unsafe text(thread.column_family)
        operation = unsafe text(thread.operation)
        stage = unsafe text(thread.stage)
        state = unsafe text(thread.state)
        elapsed = unsafe .microseconds(Int64(clamping: thread.elapsed_micros))
    }
}

extension RocksDB {
    /// Returns the number of threads in a pool; RocksDB's `GetBackgroundThreads`.
    public func backgroundThreads(in pool: ThreadPool) throws(RocksError) -> Int {
        var count: Int32 = 0
        try unsafe crk_background_threads(handle.pointer, pool.shimPool, &count).check("counting the threads of '\(path)'")
        return Int(count)
    }

    /// Sets the number of threads in a pool, 1 to 512; RocksDB's `SetBackgroundThreads`. Excess threads end when they have finished their work.
    ///
    /// Opening a database, and changing ``DatabaseOptions/maxBackgroundJobs``, only ever adds threads. The pools belong to the process: other
    /// databases are affected too.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` for other numbers: without threads, flushes would wait forever.
    public func setBackgroundThreads(_ count: Int, in pool: ThreadPool) throws(RocksError) {
        try unsafe crk_set_background_threads(handle.pointer, pool.shimPool, Int32(clamping: count)).check(
            "giving '\(path)' \(count) threads"
        )
    }

    /// Returns what RocksDB's threads are currently doing, including idle ones; RocksDB's `GetThreadList`.
    ///
    /// Only databases with ``DatabaseOptions/enableThreadTracking`` show their work.
    ///
    /// - Throws: ``RocksError/Code/notSupported`` if the installed library was built without thread tracking.
    public func threadList() throws(RocksError) -> [ThreadStatus] {
        let (status, items) = unsafe Collector<ThreadItem>.collect { context in
            unsafe crk_thread_list(
                handle.pointer,
                context,
                { context, name, number in unsafe Collector<ThreadItem>.add(.property(name.text, number), to: context) },
                { context, thread in
                    unsafe Collector<ThreadItem>.add(.thread(ThreadStatus(thread.pointee)), to: context)
                }
            )
        }
        try status.check("listing the threads of '\(path)'")
        var threads: [ThreadStatus] = []
        var properties: [String: UInt64] = [:]
        for item in items {
            switch item {
            case .property(let name, let number): properties[name] = number
            case .thread(var thread):
                thread.properties = properties
                threads.append(thread)
                properties = [:]
            }
        }
        return threads
    }
}

/// The properties of a thread precede it.
private enum ThreadItem {
    case property(String, UInt64)
    case thread(ThreadStatus)
}
