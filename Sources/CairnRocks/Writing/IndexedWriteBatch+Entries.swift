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

/// One operation of an ``IndexedWriteBatch``.
public struct BatchEntry: Sendable, Hashable {
    /// The kinds of operation; RocksDB's `WriteType`.
    public enum Kind: Sendable, Hashable {
        case put, merge, delete, singleDelete, deleteRange, logData
    }
    /// What is done.
    public var kind: Kind
    /// The number of the column family, ``ColumnFamily/id``; zero for log data.
    public var columnFamilyID: UInt32
    /// The key; empty for log data.
    public var key: [UInt8]
    /// The value, operand or log data; empty for deletions.
    public var value: [UInt8]
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
    public func entries(reversed: Bool = false, from start: (some ByteSource)? = [UInt8]?.none) throws(RocksError) -> [BatchEntry] {
        let family = columnFamily.handle
        let from = start?.withBytes { [UInt8](copying: $0) } ?? []
        let (status, entries) = unsafe Collector<BatchEntry>.collect { collector in
            unsafe from.span.bytesOfUInt8.withShimBytes { from in
                unsafe crk_indexed_batch_entries(handle.pointer, family.pointer, reversed, start != nil, from, collector, collect)
            }
        }
        try status.check(family.attempt("listing an indexed batch for"))
        return entries
    }

    /// Everything in the batch, of all column families, in the order it was added, copied; with log data, and with what was overwritten.
    public func operations() throws(RocksError) -> [BatchEntry] {
        let (status, entries) = unsafe Collector<BatchEntry>.collect { collector in
            unsafe crk_indexed_batch_operations(handle.pointer, collector, collect)
        }
        try status.check("listing an indexed batch")
        return entries
    }
}

/// The callback that collects entries.
private let collect: crk_record_sink = { collector, family, record, key, value in
    let entry = unsafe BatchEntry(
        kind: BatchEntry.Kind(record),
        columnFamilyID: family,
        key: [UInt8](copying: key.span),
        value: [UInt8](copying: value.span)
    )
    unsafe Collector<BatchEntry>.add(entry, to: collector)
}

extension BatchEntry.Kind {
    fileprivate init(_ record: crk_batch_record) {
        self =
            switch record {
            case CRK_RECORD_MERGE: .merge
            case CRK_RECORD_DELETE: .delete
            case CRK_RECORD_SINGLE_DELETE: .singleDelete
            case CRK_RECORD_DELETE_RANGE: .deleteRange
            case CRK_RECORD_LOG_DATA: .logData
            default: .put
            }
    }
}
