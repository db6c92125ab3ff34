public import CairnCore

/// A target of writes: a database, a column family, a batch.
///
/// Each conforming type implements ``write(_:key:value:)``. The other methods are built on it, so they are the same everywhere.
public protocol RocksWriter {
    /// Performs one operation. For ``WriteOperation/deleteRange``, `value` is the end of the range, exclusive; the other deletions ignore it.
    func write(_ operation: WriteOperation, key: RawSpan, value: RawSpan) throws(RocksError)

    /// Stores an entity. The default implementation throws ``RocksError/Code/notSupported``.
    func write(_ entity: Entity, key: RawSpan) throws(RocksError)
}

/// The kinds of write.
public enum WriteOperation: Sendable, Hashable {
    case put, merge, delete, singleDelete, deleteRange
}

extension RocksWriter {
    /// Stores `value` for `key`, replacing any existing value.
    ///
    /// - Throws: ``RocksError/Code/noSpace`` or ``RocksError/Code/ioError`` if the log cannot be written (nothing is stored then),
    ///   ``RocksError/Code/readOnly``, ``RocksError/Code/columnFamilyDropped``, ``RocksError/Code/closed``.
    /// - Complexity: O(log n) in the memtable and one write to the log; the files are written later, in the background.
    @inlinable
    public func put(_ value: some ByteSource & ~Escapable, for key: some ByteSource & ~Escapable) throws(RocksError) {
        try key.withBytes { (key) throws(RocksError) in
            try value.withBytes { (value) throws(RocksError) in try write(.put, key: key, value: value) }
        }
    }

    /// Merges `operand` into the value of `key` with the column family's ``MergeOperator``, without reading the value now.
    ///
    /// - Throws: Same as ``RocksWriter/put(_:for:)``; ``RocksError/Code/notSupported`` without a merge operator.
    @inlinable
    public func merge(_ operand: some ByteSource & ~Escapable, for key: some ByteSource & ~Escapable) throws(RocksError) {
        try key.withBytes { (key) throws(RocksError) in
            try operand.withBytes { (operand) throws(RocksError) in try write(.merge, key: key, value: operand) }
        }
    }

    /// Removes `key`. Removing a missing key succeeds.
    @inlinable
    public func delete(_ key: some ByteSource & ~Escapable) throws(RocksError) {
        try key.withBytes { (key) throws(RocksError) in try write(.delete, key: key, value: RawSpan()) }
    }

    /// Removes a `key` that was put exactly once since it was last removed, more cheaply than ``RocksWriter/delete(_:)``.
    ///
    /// If the key was put again, merged, or deleted in another way, the result is undefined: an older value may reappear. Other keys are not
    /// affected.
    @inlinable
    public func singleDelete(_ key: some ByteSource & ~Escapable) throws(RocksError) {
        try key.withBytes { (key) throws(RocksError) in try write(.singleDelete, key: key, value: RawSpan()) }
    }

    /// Removes all keys from `start`, inclusive, to `end`, exclusive, in the column family's order, with a single log entry.
    ///
    /// - Throws: Same as ``RocksWriter/put(_:for:)``; ``RocksError/Code/invalidArgument`` if `end` comes before `start`.
    @inlinable
    public func deleteRange(from start: some ByteSource & ~Escapable, to end: some ByteSource & ~Escapable) throws(RocksError) {
        try start.withBytes { (start) throws(RocksError) in
            try end.withBytes { (end) throws(RocksError) in try write(.deleteRange, key: start, value: end) }
        }
    }
}
