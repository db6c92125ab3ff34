import CairnCore

/// The batches written to a database, those of the past and those to come; see ``RocksDB/changes(since:skippingGaps:)``.
public struct Changes: AsyncSequence, Sendable {
    public typealias Element = ChangeBatch
    public typealias Failure = RocksError

    let database: RocksDB
    let number: UInt64
    let skippingGaps: Bool

    /// Each iterator reads for itself, from the same number on.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(changes: self) }

    /// Waits for batches; ``ChangeReader`` does the reading.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let changes: Changes
        private var reader: ChangeReader?
        private var buffer: [ChangeBatch] = []
        private var failure: RocksError?

        init(changes: Changes) { self.changes = changes }

        /// The next batch; `nil` once the task is cancelled or the database closed.
        public mutating func next() async throws(RocksError) -> ChangeBatch? { try await next(isolation: nil) }

        /// As ``next()``.
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
    /// What can be read now, up to some number of batches, and what stopped it.
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
                // Cancelled before it waited.
                if Task.isCancelled { wake() }
            }
        } onCancel: {
            wake()
        }
    }
}

extension RocksDB {
    /// What is written to the database after the operation of that number, batch by batch, now and in future.
    ///
    /// ```swift
    /// for try await batch in db.changes(since: lastSeen) {
    ///     index.update(batch.operations)
    ///     lastSeen = batch.lastSequenceNumber
    /// }
    /// ```
    ///
    /// Every batch comes whole, once and in order. The sequence ends when the task is cancelled or the database is closed, which it does not
    /// hinder; it waits without polling.
    ///
    /// The changes come from the write-ahead log, whose files are deleted once their contents are in sorted files. To be able to stay behind, or to
    /// go on after a pause, keep them: ``DatabaseOptions/walTTL``, ``DatabaseOptions/walSizeLimit``. What is written with `Durability.none`,
    /// ingested or imported never is in the log.
    ///
    /// - Parameters:
    ///   - number: The last operation already known, as ``ChangeBatch/lastSequenceNumber`` and ``latestSequenceNumber()`` tell it; zero: none. A
    ///     batch that was known in part comes again as a whole.
    ///   - skippingGaps: Whether to go on behind changes that are not in the log, as if they had not been. Default: false, which throws
    ///     ``RocksError/Code/logTruncated`` there.
    /// - Returns: A sequence that throws ``RocksError/Code/logTruncated``: read all data anew then; ``RocksError/Code/invalidArgument`` if `number`
    ///   is larger than the latest; ``RocksError/Code/notSupported`` on a database that is not open for writing, or has two-phase commits;
    ///   ``RocksError/Code/corruption``, ``RocksError/Code/ioError``.
    public func changes(since number: UInt64, skippingGaps: Bool = false) -> Changes {
        Changes(database: self, number: number, skippingGaps: skippingGaps)
    }

    /// A reader of what is written to the database after the operation of that number; as ``changes(since:skippingGaps:)``, for code that does
    /// not wait, or waits on a thread of its own.
    public func makeChangeReader(since number: UInt64, skippingGaps: Bool = false) throws(RocksError) -> ChangeReader {
        try ChangeReader(database: self, since: number, skippingGaps: skippingGaps)
    }
}
