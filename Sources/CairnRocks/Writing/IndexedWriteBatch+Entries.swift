import CRocks
public import CairnCore

/// The state of a key according to an ``IndexedWriteBatch`` alone.
public enum BatchValue: Sendable, Hashable {
    /// The value that the batch puts, or that results from merging into what it puts or deletes.
    case value([UInt8])
    /// The batch deletes the key.
    case deleted
    /// The batch has merge operands for the key; their base value is in the database.
    case mergeInProgress
    /// The batch has no operation on the key.
    case notInBatch

    /// The value as text, or `nil` if there is none or it is not UTF-8.
    public var text: String? {
        guard case .value(let bytes) = self else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension IndexedWriteBatch {
    /// Returns the state of `key` according to the batch alone.
    ///
    /// - Throws: ``RocksError/Code/corruption`` if the operands cannot be merged, ``RocksError/Code/closed``,
    ///   ``RocksError/Code/columnFamilyDropped``.
    public func get(_ key: some ByteSource & ~Escapable) throws(RocksError) -> BatchValue {
        let family = columnFamily.handle
        var outcome = CRK_NOT_IN_BATCH
        let (status, values) = unsafe Collector<[UInt8]>.collect { collector in
            key.withBytes { key in
                unsafe key.withShimBytes { key in
                    unsafe crk_indexed_batch_look_up(handle.pointer, family.pointer, key, &outcome, collector) { collector, value in
                        unsafe Collector<[UInt8]>.add([UInt8](copying: value.span), to: collector)
                    }
                }
            }
        }
        try status.check(family.attempt("reading from an indexed batch for"))
        return switch outcome {
        case CRK_FOUND: .value(values[0])
        case CRK_DELETED: .deleted
        case CRK_MERGED: .mergeInProgress
        default: .notInBatch
        }
    }

    /// Returns copies of the entries of this column family's index, in its order, without log data.
    ///
    /// - Parameters:
    ///   - reversed: Whether to list them in reverse order.
    ///   - start: Where to begin: at this key, or else at the first key after it in the listing's direction; `nil`: lists all entries.
    /// - Throws: ``RocksError/Code/closed``, ``RocksError/Code/columnFamilyDropped``.
    public func entries(reversed: Bool = false, from start: (some ByteSource)? = [UInt8]?.none) throws(RocksError) -> [BatchOperation] {
        let family = columnFamily.handle
        let from = start?.withBytes { [UInt8](copying: $0) } ?? []
        let (status, entries) = unsafe Collector<BatchOperation>.collect { collector in
            unsafe from.span.bytesOfUInt8.withShimBytes { from in
                unsafe crk_indexed_batch_entries(handle.pointer, family.pointer, reversed, start != nil, from, collector, collect)
            }
        }
        try status.check(family.attempt("listing an indexed batch for"))
        return entries
    }

    /// Returns copies of everything in the batch, for all column families, in insertion order, including log data and overwritten operations.
    public func operations() throws(RocksError) -> [BatchOperation] {
        let (status, entries) = unsafe Collector<BatchOperation>.collect { collector in
            unsafe crk_indexed_batch_operations(handle.pointer, collector, collect)
        }
        try status.check("listing an indexed batch")
        return entries
    }
}

/// The callback that collects entries.
private let collect: crk_record_sink = { collector, kind, family, key, value in
    unsafe Collector<BatchOperation>.add(BatchOperation(kind, family, key, value), to: collector)
}
