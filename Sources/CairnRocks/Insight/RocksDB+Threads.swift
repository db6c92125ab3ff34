import CRocks
import CairnCore

/// The threads that flush and compact. All databases of the process share them.
public enum ThreadPool: Sendable, CaseIterable {
    /// For flushes; RocksDB's `HIGH`.
    case high
    /// For compactions, and for flushes if ``high`` has no threads; RocksDB's `LOW`.
    case low
    /// For compactions into the last level, if it has threads; RocksDB's `BOTTOM`.
    case bottom

    var shimPool: crk_thread_pool {
        switch self {
        case .high: CRK_POOL_HIGH
        case .low: CRK_POOL_LOW
        case .bottom: CRK_POOL_BOTTOM
        }
    }
}

/// What a thread of RocksDB's is doing; RocksDB's `ThreadStatus`.
public struct ThreadStatus: Sendable, Hashable {
    /// The number of the thread.
    public let id: UInt64
    /// `High Pri`, `Low Pri`, `Bottom Pri`, or `User`.
    public let type: String
    /// The database it works for; `nil` if it has no work.
    public let databasePath: String?
    /// The column family it works for; `nil` if it has no work.
    public let columnFamilyName: String?
    /// `Compaction`, `Flush`; `nil` if it has no work.
    public let operation: String?
    /// Which part of that it is at, in RocksDB's words.
    public let stage: String?
    /// What it waits for, such as `Mutex Wait`; `nil` while it works.
    public let state: String?
    /// How long the operation has taken so far.
    public let elapsed: Duration
    /// Numbers of the operation, such as `JobID`, `BytesRead`, `BytesWritten`.
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
    /// How many threads a pool has; RocksDB's `GetBackgroundThreads`.
    public func backgroundThreads(in pool: ThreadPool) throws(RocksError) -> Int {
        var count: Int32 = 0
        try unsafe crk_background_threads(handle.pointer, pool.shimPool, &count).check("counting the threads of '\(path)'")
        return Int(count)
    }

    /// Gives a pool so many threads, 1 to 512; RocksDB's `SetBackgroundThreads`. Threads too many end when they have finished their work.
    ///
    /// Opening a database, and changing ``DatabaseOptions/maxBackgroundJobs``, only ever adds threads. The pools belong to the process: other
    /// databases are affected too.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` for other numbers: without threads, flushes would wait for ever.
    public func setBackgroundThreads(_ count: Int, in pool: ThreadPool) throws(RocksError) {
        try unsafe crk_set_background_threads(handle.pointer, pool.shimPool, Int32(clamping: count)).check(
            "giving '\(path)' \(count) threads"
        )
    }

    /// What RocksDB's threads are doing at this moment, those that wait for work too; RocksDB's `GetThreadList`.
    ///
    /// Of all databases in the process, those with ``DatabaseOptions/enableThreadTracking`` show their work.
    ///
    /// - Throws: ``RocksError/Code/notSupported`` if the installed library was built without it.
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

/// A thread's properties come before it.
private enum ThreadItem {
    case property(String, UInt64)
    case thread(ThreadStatus)
}
