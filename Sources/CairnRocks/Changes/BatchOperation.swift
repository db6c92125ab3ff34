import CRocks
import CairnCore

/// One operation of a batch, copied.
public struct BatchOperation: Sendable, Hashable {
    /// The kind of an operation, or of another record in a batch. An open set, so a `switch` needs a `default`.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        public let description: String

        /// ``value`` is stored for ``key``.
        public static let put = Kind(description: "put")
        /// ``value`` is a merge operand for ``key``.
        public static let merge = Kind(description: "merge")
        /// ``key`` is removed.
        public static let delete = Kind(description: "delete")
        /// ``key``, which was put once, is removed.
        public static let singleDelete = Kind(description: "singleDelete")
        /// The keys from ``key``, inclusive, to ``value``, exclusive, are removed.
        public static let deleteRange = Kind(description: "deleteRange")
        /// An entity is stored for ``key``; ``BatchOperation/entity()`` returns it.
        public static let putEntity = Kind(description: "putEntity")
        /// ``value`` was added by ``WriteBatch/putLogData(_:)``.
        public static let logData = Kind(description: "logData")
        /// Begins a transaction that will be prepared.
        public static let beginPrepare = Kind(description: "beginPrepare")
        /// The transaction named ``key`` is prepared.
        public static let endPrepare = Kind(description: "endPrepare")
        /// The transaction named ``key`` is committed.
        public static let commit = Kind(description: "commit")
        /// The transaction named ``key`` is rolled back.
        public static let rollback = Kind(description: "rollback")
        /// ``value`` refers to the blob file that holds the value of ``key``.
        public static let blobIndex = Kind(description: "blobIndex")
    }

    /// What the operation does.
    public let kind: Kind
    /// RocksDB's number for the column family, as in ``ColumnFamily/id``; zero is `default`.
    public let columnFamilyID: UInt32
    /// The column family's name; `nil` if it is unknown or was dropped.
    public internal(set) var columnFamilyName: String?
    /// The key; empty if there is none.
    public let key: [UInt8]
    /// The value, the operand, or the end of a range; empty if there is none.
    public let value: [UInt8]

    /// Returns the stored entity; for a put value, one with a single unnamed column; `nil` for other kinds.
    ///
    /// - Throws: ``RocksError/Code/corruption`` if the entity is damaged.
    public func entity() throws(RocksError) -> Entity? {
        if kind == .put { return Entity(value: value) }
        guard kind == .putEntity else { return nil }
        let (status, columns) = unsafe value.span.bytesOfUInt8.withShimBytes { entity in
            unsafe Collector<Entity.Column>.collect { collector in
                unsafe crk_read_entity(entity, collector) { collector, name, value in
                    let column = unsafe Entity.Column(name: [UInt8](copying: name.span), value: [UInt8](copying: value.span))
                    unsafe Collector<Entity.Column>.add(column, to: collector)
                }
            }
        }
        try status.check("reading the columns of an entity")
        return Entity(sorted: columns)
    }

    @unsafe init(_ kind: crk_record_kind, _ columnFamilyID: UInt32, _ key: crk_bytes, _ value: crk_bytes) {
        self.kind = Kind(kind)
        self.columnFamilyID = columnFamilyID
        self.key = unsafe [UInt8](copying: key.span)
        self.value = unsafe [UInt8](copying: value.span)
    }
}

extension BatchOperation.Kind {
    fileprivate init(_ kind: crk_record_kind) {
        self =
            switch kind {
            case CRK_RECORD_PUT: .put
            case CRK_RECORD_MERGE: .merge
            case CRK_RECORD_DELETE: .delete
            case CRK_RECORD_SINGLE_DELETE: .singleDelete
            case CRK_RECORD_DELETE_RANGE: .deleteRange
            case CRK_RECORD_PUT_ENTITY: .putEntity
            case CRK_RECORD_LOG_DATA: .logData
            case CRK_RECORD_BEGIN_PREPARE: .beginPrepare
            case CRK_RECORD_END_PREPARE: .endPrepare
            case CRK_RECORD_COMMIT: .commit
            case CRK_RECORD_ROLLBACK: .rollback
            default: .blobIndex
            }
    }
}

extension WriteBatch {
    /// Returns copies of the batch's operations, in order, including log data.
    ///
    /// - Throws: ``RocksError/Code/corruption`` if the batch is damaged.
    public func operations() throws(RocksError) -> [BatchOperation] {
        let (status, operations) = unsafe Collector<BatchOperation>.collect { collector in
            unsafe storage.readRecords(collector) { collector, kind, family, key, value in
                unsafe Collector<BatchOperation>.add(BatchOperation(kind, family, key, value), to: collector)
            }
        }
        try status.check("reading a batch")
        return operations
    }
}
