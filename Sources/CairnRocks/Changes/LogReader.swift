import CRocks
import CairnCore
import Synchronization

/// Reads what another process writes to a database, batch by batch, from its write-ahead log files.
///
/// ```swift
/// let reader = try LogReader(path: "music.db", since: lastSeen)
/// while let batch = try reader.next() {
///     for operation in batch.operations { print(operation.kind, operation.key) }
///     lastSeen = batch.lastSequenceNumber
/// }
/// ```
///
/// The database is not opened, and nothing is written: the process that has it open does not notice. RocksDB has no reader of this kind:
/// its own, which ``ChangeReader`` uses, needs the database to be open for writing, and aborts the process if it reads a batch that is not
/// in the memtables yet. New batches are not signalled: call ``next()`` periodically.
///
/// A batch can be read as soon as the other process has handed it to the operating system, which happens before its `write` returns, unless
/// ``DatabaseOptions/manualWALFlush`` delays it. After a power cut, writes that were read but not synced may be lost, and their numbers reused.
///
/// The reader supports only the system's own file system, and neither compressed (`wal_compression`) nor encrypted logs. Safe to use from any thread;
/// each batch goes to one caller.
public final class LogReader: Sendable {
    private let path: String
    private let directory: String
    private let skippingGaps: Bool
    private let state: Mutex<State>

    private struct State {
        /// The number of the next operation to return.
        var next: UInt64
        var file: LogRecords?
        /// A record that was read but not yet returned.
        var pending: [UInt8]?
    }

    /// - Parameters:
    ///   - path: The database's directory.
    ///   - number: The last operation already known, as in ``RocksDB/changes(since:skippingGaps:)``; zero: none.
    ///   - skippingGaps: Whether to skip changes that are not in the log. Default: false, which throws ``RocksError/Code/logTruncated`` there.
    ///   - walDirectory: The log's directory, for databases with ``DatabaseOptions/walDirectory``. Default: the database's directory.
    /// - Throws: ``RocksError/Code/notFound`` if there is no database; ``RocksError/Code/invalidArgument`` if no operation can have this number;
    ///   ``RocksError/Code/notSupported`` if there is a pipe, a device or a socket in the log's directory.
    public init(path: String, since number: UInt64, skippingGaps: Bool = false, walDirectory: String? = nil) throws(RocksError) {
        guard number < .max else { throw RocksError(.invalidArgument, "reading the log of '\(path)': there is no such change") }
        guard (try? FileSystem.system.stat(FileSystem.join(path, "CURRENT"))) != nil else {
            throw RocksError(.notFound, "reading the log of '\(path)': there is no database")
        }
        self.path = path
        self.directory = walDirectory ?? path
        try checkFiles(in: directory, "reading the log of '\(path)'")
        self.skippingGaps = skippingGaps
        state = Mutex(State(next: number + 1))
    }

    /// The sequence number of the last operation that was read or skipped, from which another reader would continue.
    public var lastSequenceNumber: UInt64 { state.withLock { $0.next - 1 } }

    /// Returns the next batch, or `nil` if there is none yet. ``BatchOperation/columnFamilyName`` is `nil`: the log holds only
    /// ``BatchOperation/columnFamilyID``.
    ///
    /// - Throws: ``RocksError/Code/logTruncated`` if the next change is not in the log: its file was deleted, or it was made without the log;
    ///   ``RocksError/Code/notSupported`` if the log is compressed, or holds two-phase transactions, which are logged before they take effect;
    ///   ``RocksError/Code/corruption``, ``RocksError/Code/ioError``. The reader keeps its position.
    /// - Complexity: Reads the log from where it stopped. The first time, it reads through one file from the start.
    public func next() throws(RocksError) -> ChangeBatch? {
        try state.withLock { state throws(RocksError) in
            while true {
                if state.pending == nil { state.pending = try nextRecord(&state) }
                guard let record = state.pending else { return nil }
                let (first, count) = try Self.numbers(of: record)
                if count > 0, first + UInt64(count) > state.next {
                    if first > state.next && !skippingGaps {
                        throw RocksError(
                            .logTruncated,
                            "reading the log of '\(path)': the changes from number \(state.next) to \(first - 1) are not in it"
                        )
                    }
                    let operations = try Self.operations(of: record, "reading the log of '\(path)'")
                    state.next = first + UInt64(count)
                    state.pending = nil
                    return ChangeBatch(
                        sequenceNumber: first,
                        lastSequenceNumber: state.next - 1,
                        operations: operations,
                        data: record
                    )
                }
                // Skips records without operations, and those before the wanted number.
                state.pending = nil
            }
        }
    }

    private static func numbers(of record: [UInt8]) throws(RocksError) -> (first: UInt64, count: UInt32) {
        guard record.count >= 12 else { throw RocksError(.corruption, "a record of the log is \(record.count) bytes long") }
        let first = record[0..<8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        let count = record[8..<12].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        // RocksDB's numbers have 56 bits.
        guard first < 1 << 56 else { throw RocksError(.corruption, "a record of the log has number \(first)") }
        return (first, count)
    }

    private static func operations(of record: [UInt8], _ attempt: String) throws(RocksError) -> [BatchOperation] {
        let (status, operations) = unsafe record.span.bytesOfUInt8.withShimBytes { data in
            unsafe Collector<BatchOperation>.collect { collector in
                unsafe crk_log_records(data, collector) { collector, kind, family, key, value in
                    unsafe Collector<BatchOperation>.add(BatchOperation(kind, family, key, value), to: collector)
                }
            }
        }
        try status.check(attempt)
        return operations
    }
}

// MARK: - Files

extension LogReader {
    private func nextRecord(_ state: inout State) throws(RocksError) -> [UInt8]? {
        if state.file == nil { state.file = try firstFile(holding: state.next) }
        guard state.file != nil else { return nil }
        if let record = try state.file!.next() { return record }
        // A log is complete once a later one has a record. Records written before it to this log and to the logs in between come first, so check
        // these logs once more.
        var files: [LogRecords] = []
        for (number, path) in try logs() where number > state.file!.number {
            guard var file = try open(number, path) else { continue }
            let record = try file.next()
            files.append(file)
            guard let record else { continue }
            if let earlier = try state.file!.next() { return earlier }
            for index in files.indices.dropLast() {
                if let earlier = try files[index].next() {
                    state.file = files[index]
                    return earlier
                }
            }
            state.file = file
            return record
        }
        return nil
    }

    /// Returns the last log that begins at or before the number, or else the first one.
    private func firstFile(holding number: UInt64) throws(RocksError) -> LogRecords? {
        var found: LogRecords?
        for (fileNumber, path) in try logs().reversed() {
            guard let file = try open(fileNumber, path) else { continue }
            var reading = file
            guard let record = try reading.next() else {
                // Empty, but future records will go to it.
                if found == nil { found = file }
                continue
            }
            found = file
            if try Self.numbers(of: record).first <= number { break }
        }
        return found
    }

    /// Opens a log, looking in the archive if it was moved there; returns `nil` if it was deleted.
    private func open(_ number: UInt64, _ path: String) throws(RocksError) -> LogRecords? {
        for path in [path, FileSystem.join(directory, "archive/" + FileSystem.split(path).name)] {
            do throws(FileError) {
                return try LogRecords(number: number, path: path)
            } catch  where error.code == .notFound {
                continue
            } catch {
                throw RocksError(error, "reading the log of '\(self.path)'")
            }
        }
        return nil
    }

    /// Returns the existing log files, including those in the archive, in order.
    private func logs() throws(RocksError) -> [(number: UInt64, path: String)] {
        var paths: [UInt64: String] = [:]
        // Files move to the archive: listing in this order misses none.
        for directory in [directory, FileSystem.join(directory, "archive")] {
            do throws(SystemCallError) {
                for name in try FileSystem.system.list(directory) where name.hasSuffix(".log") {
                    if let number = UInt64(name.dropLast(4)), paths[number] == nil { paths[number] = FileSystem.join(directory, name) }
                }
            } catch {
                if directory != self.directory, error.errno == 2 { continue }
                throw RocksError(FileError("listing the log of", "'\(path)'", cause: error))
            }
        }
        return paths.sorted { $0.key < $1.key }.map { (number: $0.key, path: $0.value) }
    }
}
