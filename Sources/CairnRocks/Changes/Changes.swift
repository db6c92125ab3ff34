import CairnCore

/// The batches written to a database, past and future; see ``RocksDB/changes(since:skippingGaps:)``.
public struct Changes: AsyncSequence, Sendable {
    public typealias Element = ChangeBatch
    public typealias Failure = RocksError

    let database: RocksDB
    let number: UInt64
    let skippingGaps: Bool

    /// Returns an iterator that reads independently, starting after the same sequence number.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(changes: self) }

    /// Waits for batches, which a ``ChangeReader`` reads.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let changes: Changes
        private var reader: ChangeReader?
        private var buffer: [ChangeBatch] = []
        private var failure: RocksError?

        init(changes: Changes) { self.changes = changes }

        /// Returns the next batch, or `nil` once the task is cancelled or the database is closed.
        public mutating func next() async throws(RocksError) -> ChangeBatch? { try await next(isolation: nil) }

        /// Same as ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RocksError) -> ChangeBatch? {
            while true {
                if Task.isCancelled { return nil }
                if let batch = buffer.popLast() { return batch }
                if let failure {
                    self.failure = nil
                    if failure.code == .closed { return nil }
                    throw failure
                }
                if reader == nil { reader = try makeReader() }
                guard let reader else { return nil }
                let read = await offPool { () throws(RocksError) in reader.readSome() }
                if case .success(let some) = read {
                    buffer = some.batches.reversed()
                    failure = some.failure
                }
                if buffer.isEmpty, failure == nil { await reader.waitForMore() }
            }
        }

        private func makeReader() throws(RocksError) -> ChangeReader? {
            do throws(RocksError) {
                return try ChangeReader(database: changes.database, since: changes.number, skippingGaps: changes.skippingGaps)
            } catch  where error.code == .closed {
                return nil
            }
        }
    }
}

extension ChangeReader {
    /// Reads what is available now, up to some number of batches, and returns the error that stopped it, if any.
    fileprivate func readSome() -> (batches: [ChangeBatch], failure: RocksError?) {
        var batches: [ChangeBatch] = []
        do throws(RocksError) {
            while batches.count < 64, let batch = try next() { batches.append(batch) }
            return (batches, nil)
        } catch {
            return (batches, error)
        }
    }

    /// Returns when there may be something new, the database closes, or the task is cancelled.
    fileprivate func waitForMore() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wait { continuation.resume() }
                // Cancelled before the wait began.
                if Task.isCancelled { wake() }
            }
        } onCancel: {
            wake()
        }
    }
}

extension RocksDB {
    /// Returns the changes to the database after the operation with the given number, batch by batch, now and in the future.
    ///
    /// ```swift
    /// for try await batch in db.changes(since: lastSeen) {
    ///     index.update(batch.operations)
    ///     lastSeen = batch.lastSequenceNumber
    /// }
    /// ```
    ///
    /// Every batch is delivered whole, once and in order. The sequence waits without polling. It ends when the task is cancelled or the
    /// database is closed; it does not keep the database open.
    ///
    /// The changes come from the write-ahead log, whose files are deleted once their contents are in sorted files. To read changes from
    /// long ago, or to continue after a pause, keep the files: ``DatabaseOptions/walTTL``, ``DatabaseOptions/walSizeLimit``. Data written
    /// with `Durability.none`, ingested or imported is never in the log.
    ///
    /// - Parameters:
    ///   - number: The last operation already known, as in ``ChangeBatch/lastSequenceNumber`` and ``latestSequenceNumber()``; zero: none. A batch
    ///     that is only partly known is delivered again as a whole.
    ///   - skippingGaps: Whether to skip changes that are not in the log, as if they had never happened. Default: false, which throws
    ///     ``RocksError/Code/logTruncated`` there.
    /// - Returns: A sequence that throws ``RocksError/Code/logTruncated``, after which you must read all data again;
    ///   ``RocksError/Code/invalidArgument`` if `number` is larger than the latest; ``RocksError/Code/notSupported`` on a database that is not open
    ///   for writing, or has two-phase commits; ``RocksError/Code/corruption``, ``RocksError/Code/ioError``.
    public func changes(since number: UInt64, skippingGaps: Bool = false) -> Changes {
        Changes(database: self, number: number, skippingGaps: skippingGaps)
    }

    /// Makes a reader of the changes to the database after the operation with the given number. Like ``changes(since:skippingGaps:)``, for code that
    /// does not wait, or waits on its own thread.
    public func makeChangeReader(since number: UInt64, skippingGaps: Bool = false) throws(RocksError) -> ChangeReader {
        try ChangeReader(database: self, since: number, skippingGaps: skippingGaps)
    }
}
