import CRocks
import CairnCore
import Dispatch
import Synchronization

/// A batch that was written to a database. Writes made by several threads at the same moment may be combined into one.
public struct ChangeBatch: Sendable, Hashable {
    /// The sequence number of its first operation; the others follow consecutively.
    public let sequenceNumber: UInt64
    /// The sequence number of its last operation; pass it to ``RocksDB/changes(since:skippingGaps:)`` to continue from there.
    public let lastSequenceNumber: UInt64
    /// Its operations, in order. Log data is included and has no number.
    public let operations: [BatchOperation]
    /// RocksDB's serialised form, for ``WriteBatch/init(data:)``. Written to a copy of the database, it makes the same changes there.
    public let data: [UInt8]
}

/// Reads the changes to a database from its write-ahead log, batch by batch; RocksDB's `GetUpdatesSince`.
///
/// ```swift
/// let reader = try db.makeChangeReader(since: lastSeen)
/// while let batch = try reader.next() {
///     for operation in batch.operations { print(operation.kind, operation.key) }
/// }
/// ```
///
/// Safe to use from any thread; each batch goes to one caller. A reader does not keep its database open: ``RocksDB/close()`` succeeds, and the reader
/// then throws ``RocksError/Code/closed``. To find new batches, it adds an empty record of some 20 bytes to the log each time it has caught up and
/// something was written since.
@safe public final class ChangeReader: Sendable {
    private let handle: ObjectHandle
    private let database: RocksDB

    init(database: RocksDB, since number: UInt64, skippingGaps: Bool) throws(RocksError) {
        var pointer: OpaquePointer?
        let attempt = "following the changes of '\(database.path)' since number \(number)"
        guard number < .max else { throw RocksError(.invalidArgument, "\(attempt): there is no such change") }
        try unsafe crk_log_tail_create(database.handle.pointer, number + 1, skippingGaps, &pointer).check(attempt)
        unsafe handle = ObjectHandle(owning: pointer!) { unsafe crk_log_tail_free($0) }
        self.database = database
    }

    /// The sequence number of the last operation that was read or skipped, from which another reader would continue.
    public var lastSequenceNumber: UInt64 { unsafe crk_log_tail_next_sequence_number(handle.pointer) - 1 }

    /// Returns the next batch, or `nil` if there is none yet; there may be one later.
    ///
    /// - Throws: ``RocksError/Code/logTruncated`` if the next change is not in the log (the reader keeps its position);
    ///   ``RocksError/Code/corruption``, ``RocksError/Code/ioError``, ``RocksError/Code/closed``.
    /// - Complexity: Reads the log from where it stopped. The first time, and whenever the log switches to another file, it reads through one file
    ///   from the start.
    public func next() throws(RocksError) -> ChangeBatch? {
        let records = Records()
        let context = unsafe Unmanaged.passUnretained(records).toOpaque()
        var number: UInt64 = 0
        var count: UInt32 = 0
        var isFound = false
        let status = unsafe crk_log_tail_next(
            handle.pointer,
            context,
            { context, data in
                unsafe Unmanaged<Records>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.data = unsafe [UInt8](copying: data.span) }
            },
            { context, kind, family, key, value in
                unsafe Unmanaged<Records>.fromOpaque(context)._withUnsafeGuaranteedRef {
                    $0.operations.append(unsafe BatchOperation(kind, family, key, value))
                }
            },
            &number,
            &count,
            &isFound
        )
        extendLifetime(records)
        try status.check("following the changes of '\(database.path)'")
        guard isFound else { return nil }
        let names = Dictionary(database.families.withLock { $0.values.map { ($0.id, $0.name) } }) { first, _ in first }
        return ChangeBatch(
            sequenceNumber: number,
            lastSequenceNumber: number + UInt64(count) - 1,
            operations: records.operations.map { operation in
                var operation = operation
                operation.columnFamilyName = names[operation.columnFamilyID]
                return operation
            },
            data: records.data
        )
    }

    /// Returns the next batch, waiting until there is one; `nil` if the database is closed first. Blocks the calling thread without using the
    /// processor; `for await` over ``RocksDB/changes(since:skippingGaps:)`` does not block.
    public func waitForNext() throws(RocksError) -> ChangeBatch? {
        while !database.isClosed {
            do {
                if let batch = try next() { return batch }
            } catch  where error.code == .closed {
                return nil
            }
            let woken = DispatchSemaphore(value: 0)
            wait { woken.signal() }
            woken.wait()
        }
        return nil
    }

    /// Calls `body` once, when there may be something new, the database closes, or ``wake()`` is called.
    func wait(_ body: @escaping @Sendable () -> Void) {
        let context = unsafe Unmanaged.passRetained(Wake(body)).toOpaque()
        unsafe crk_log_tail_wait(handle.pointer, context) { context in
            unsafe Unmanaged<Wake>.fromOpaque(context).takeRetainedValue().body()
        }
    }

    /// Ends all waits of this reader.
    func wake() { unsafe crk_log_tail_wake(handle.pointer) }
}

private final class Records {
    var data: [UInt8] = []
    var operations: [BatchOperation] = []
}

private final class Wake: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
