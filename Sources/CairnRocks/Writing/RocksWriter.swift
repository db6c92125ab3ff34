public import CairnCore

/// What can be written to: a database, a column family, a batch.
///
/// Only ``write(_:key:value:)`` is particular to each; the verbs are built on it, so they are the same everywhere.
public protocol RocksWriter {
    /// Performs one operation. `value` is the end of the range, exclusive, for ``WriteOperation/deleteRange``, and ignored by the other
    /// deletions.
    func write(_ operation: WriteOperation, key: RawSpan, value: RawSpan) throws(RocksError)

    /// Stores an entity. Throws ``RocksError/Code/notSupported`` unless the writer has a form of its own.
    func write(_ entity: Entity, key: RawSpan) throws(RocksError)
}

/// The kinds of write.
public enum WriteOperation: Sendable, Hashable {
    case put, merge, delete, singleDelete, deleteRange
}

extension RocksWriter {
    /// Stores `value` for `key`, in place of what was there.
    ///
    /// - Throws: ``RocksError/Code/ioError`` if the log cannot be written (nothing is stored then), ``RocksError/Code/notSupported`` on a
    ///   read-only database, ``RocksError/Code/columnFamilyDropped``, ``RocksError/Code/closed``.
    /// - Complexity: O(log n) in the memtable and one write to the log; the files are written later, in the background.
    @inlinable
    public func put(_ value: some ByteSource & ~Escapable, for key: some ByteSource & ~Escapable) throws(RocksError) {
        try key.withBytes { (key) throws(RocksError) in
            try value.withBytes { (value) throws(RocksError) in try write(.put, key: key, value: value) }
        }
    }

    /// Combines `operand` with the value of `key` by the column family's ``MergeOperator``, without reading it now.
    ///
    /// - Throws: As ``RocksWriter/put(_:for:)``; ``RocksError/Code/notSupported`` without a merge operator.
    @inlinable
    public func merge(_ operand: some ByteSource & ~Escapable, for key: some ByteSource & ~Escapable) throws(RocksError) {
        try key.withBytes { (key) throws(RocksError) in
            try operand.withBytes { (operand) throws(RocksError) in try write(.merge, key: key, value: operand) }
        }
    }

    /// Removes `key`. Removing a key that is not there succeeds.
    @inlinable
    public func delete(_ key: some ByteSource & ~Escapable) throws(RocksError) {
        try key.withBytes { (key) throws(RocksError) in try write(.delete, key: key, value: RawSpan()) }
    }

    /// Removes a `key` that was put exactly once since it was last removed, at less cost than ``RocksWriter/delete(_:)``.
    ///
    /// For a key that was put again, merged, or deleted in another way the result is undefined: an older value may come back. Other keys
    /// are not affected.
    @inlinable
    public func singleDelete(_ key: some ByteSource & ~Escapable) throws(RocksError) {
        try key.withBytes { (key) throws(RocksError) in try write(.singleDelete, key: key, value: RawSpan()) }
    }

    /// Removes all keys from `start`, inclusive, to `end`, exclusive, by the column family's order, with one entry in the log.
    ///
    /// - Throws: As ``RocksWriter/put(_:for:)``; ``RocksError/Code/invalidArgument`` if `end` comes before `start`.
    @inlinable
    public func deleteRange(from start: some ByteSource & ~Escapable, to end: some ByteSource & ~Escapable) throws(RocksError) {
        try start.withBytes { (start) throws(RocksError) in
            try end.withBytes { (end) throws(RocksError) in try write(.deleteRange, key: start, value: end) }
        }
    }
}
