public import CairnCore

/// A batch. Adding to it does not throw: the batch keeps its first error, and writing the batch throws it.
public protocol BatchWriter: RocksWriter {
    /// Adds one operation, like ``RocksWriter/write(_:key:value:)``; writing the batch throws any error.
    func write(_ operation: WriteOperation, key: RawSpan, value: RawSpan)
}

// The methods of RocksWriter again, without `throws`.
extension BatchWriter {
    /// Same as ``RocksWriter/put(_:for:)``.
    @inlinable
    public func put(_ value: some ByteSource & ~Escapable, for key: some ByteSource & ~Escapable) {
        key.withBytes { key in value.withBytes { write(.put, key: key, value: $0) } }
    }
    /// Same as ``RocksWriter/merge(_:for:)``.
    @inlinable
    public func merge(_ operand: some ByteSource & ~Escapable, for key: some ByteSource & ~Escapable) {
        key.withBytes { key in operand.withBytes { write(.merge, key: key, value: $0) } }
    }
    /// Same as ``RocksWriter/delete(_:)``.
    @inlinable
    public func delete(_ key: some ByteSource & ~Escapable) { key.withBytes { write(.delete, key: $0, value: RawSpan()) } }
    /// Same as ``RocksWriter/singleDelete(_:)``.
    @inlinable
    public func singleDelete(_ key: some ByteSource & ~Escapable) { key.withBytes { write(.singleDelete, key: $0, value: RawSpan()) } }
    /// Same as ``RocksWriter/deleteRange(from:to:)``.
    @inlinable
    public func deleteRange(from start: some ByteSource & ~Escapable, to end: some ByteSource & ~Escapable) {
        start.withBytes { start in end.withBytes { write(.deleteRange, key: start, value: $0) } }
    }
}
