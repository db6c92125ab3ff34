import CRocks
public import CairnCore

/// What an ``IndexedWriteBatch`` alone says of a key.
public enum BatchValue: Sendable, Hashable {
    /// It puts this, or merges it with what it puts or deletes.
    case value([UInt8])
    /// It deletes the key.
    case deleted
    /// It has operands for the key whose base is in the database.
    case mergeInProgress
    /// It has nothing on the key.
    case notInBatch

    /// The value as text; `nil` if there is none, or it is not UTF-8.
    public var text: String? {
        guard case .value(let bytes) = self else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension IndexedWriteBatch {
    /// What the batch alone says of `key`.
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
        try status.check(family.attempt("looking into an indexed batch for"))
        return switch outcome {
        case CRK_FOUND: .value(values[0])
        case CRK_DELETED: .deleted
        case CRK_MERGED: .mergeInProgress
        default: .notInBatch
        }
    }

    /// The entries of this column family's index, in its order, copied. Log data are not among them.
    ///
    /// - Parameters:
    ///   - reversed: Against the order.
    ///   - start: Where to begin: the first entry with this key or behind it; `nil`: all.
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

    /// Everything in the batch, of all column families, in the order it was added, copied; with log data, and with what was overwritten.
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
