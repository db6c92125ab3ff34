import CRocks
public import CairnCore

/// The properties stored in a table file; RocksDB's `TableProperties`.
public struct TableProperties: Sendable, Hashable {
    /// The path of the file.
    public let path: String
    /// The number of entries: puts, merges, deletions.
    public let entryCount: UInt64
    /// The number of deletions of keys.
    public let deletionCount: UInt64
    /// The number of merge operands.
    public let mergeOperandCount: UInt64
    /// The number of range deletions.
    public let rangeDeletionCount: UInt64
    /// The number of keys or prefixes in the filter.
    public let filterEntryCount: UInt64
    /// The number of data blocks.
    public let dataBlockCount: UInt64
    /// The total size of data blocks in the file.
    public let dataSize: ByteCount
    /// The size of the index, including all partitions.
    public let indexSize: ByteCount
    /// The number of index partitions; 0 if the index is not partitioned.
    public let indexPartitionCount: UInt64
    /// The size of the top level of a partitioned index.
    public let topLevelIndexSize: ByteCount
    /// The size of the filter.
    public let filterSize: ByteCount
    /// The total uncompressed size of keys.
    public let rawKeySize: ByteCount
    /// The total uncompressed size of values.
    public let rawValueSize: ByteCount
    /// The size that the data would have with slow, strong compression, estimated from samples; `nil` without
    /// ``ColumnFamilyOptions/sampleForCompression``.
    public let slowCompressionEstimate: ByteCount?
    /// The size that the data would have with fast compression, estimated in the same way.
    public let fastCompressionEstimate: ByteCount?
    /// The common length of all keys; `nil` if lengths differ or the format does not record them.
    public let fixedKeyLength: UInt64?
    /// The version of the file format.
    public let formatVersion: UInt64
    /// Whether index keys lack RocksDB's sequence numbers.
    public let indexKeysAreUserKeys: Bool
    /// Whether index values are stored as differences.
    public let indexValuesAreDeltas: Bool
    /// The number of the column family that the file was created for; `nil` if unknown.
    public let columnFamilyID: UInt32?
    /// The name of the column family that the file was created for; empty if unknown.
    public let columnFamilyName: String
    /// The name of the comparator.
    public let comparator: String
    /// The name of the merge operator; `nil` if there is none.
    public let mergeOperator: String?
    /// The name of the prefix extractor; `nil` if there is none.
    public let prefixExtractor: String?
    /// The name of the filter policy; `nil` if the file has no filter.
    public let filterPolicy: String?
    /// The compression of blocks, such as `LZ4` or `NoCompression`.
    public let compression: String
    /// The compression options, as text.
    public let compressionOptions: String
    /// The names of the collectors of ``userCollected``, as text.
    public let propertyCollectors: String
    /// The file's number when it was created; 0 if unknown. Together with ``sessionID``, it identifies the file globally.
    public let originalFileNumber: UInt64
    /// The identity of the database that created the file.
    public let databaseID: String
    /// The identity of the session, from opening to closing, in which the file was created.
    public let sessionID: String
    /// The machine that created the file.
    public let hostID: String
    /// The approximate time at which the newest key was written, in seconds since 1970; `nil` if unknown.
    public let creationTime: UInt64?
    /// The approximate time at which the oldest key was written; `nil` if unknown.
    public let oldestKeyTime: UInt64?
    /// The creation time of the file; `nil` if unknown.
    public let fileCreationTime: UInt64?
    /// The properties added by RocksDB's and other collectors, by name. Some values are bytes, not text.
    public internal(set) var userCollected: [String: [UInt8]] = [:]

    init(_ table: crk_table_properties) {
        path = unsafe table.path.text
        entryCount = unsafe table.entries
        deletionCount = unsafe table.deletions
        mergeOperandCount = unsafe table.merge_operands
        rangeDeletionCount = unsafe table.range_deletions
        filterEntryCount = unsafe table.filter_entries
        dataBlockCount = unsafe table.data_blocks
        dataSize = unsafe ByteCount(bytes: Int64(clamping: table.data_size))
        indexSize = unsafe ByteCount(bytes: Int64(clamping: table.index_size))
        indexPartitionCount = unsafe table.index_partitions
        topLevelIndexSize = unsafe ByteCount(bytes: Int64(clamping: table.top_level_index_size))
        filterSize = unsafe ByteCount(bytes: Int64(clamping: table.filter_size))
        rawKeySize = unsafe ByteCount(bytes: Int64(clamping: table.raw_key_size))
        rawValueSize = unsafe ByteCount(bytes: Int64(clamping: table.raw_value_size))
        let slow = unsafe table.slow_compression_estimate, fast = unsafe table.fast_compression_estimate
        slowCompressionEstimate = slow == 0 ? nil : ByteCount(bytes: Int64(clamping: slow))
        fastCompressionEstimate = fast == 0 ? nil : ByteCount(bytes: Int64(clamping: fast))
        fixedKeyLength = unsafe table.fixed_key_length == 0 ? nil : table.fixed_key_length
        formatVersion = unsafe table.format_version
        indexKeysAreUserKeys = unsafe table.index_keys_are_user_keys
        indexValuesAreDeltas = unsafe table.index_values_are_deltas
        columnFamilyID = unsafe table.column_family_id > 0x7FFF_FFFE ? nil : UInt32(table.column_family_id)
        columnFamilyName = unsafe table.column_family.text
        comparator = unsafe table.comparator.text
        mergeOperator = unsafe table.merge_operator.objectName
        prefixExtractor = unsafe table.prefix_extractor.objectName
        filterPolicy = unsafe table.filter_policy.objectName
        compression = unsafe table.compression.text
        compressionOptions = unsafe table.compression_options.text
        propertyCollectors = unsafe table.property_collectors.text
        originalFileNumber = unsafe table.original_file_number
        databaseID = unsafe table.database_id.text
        sessionID = unsafe table.session_id.text
        hostID = unsafe table.host_id.text
        creationTime = unsafe table.creation_time == 0 ? nil : table.creation_time
        oldestKeyTime = unsafe table.oldest_key_time == 0 ? nil : table.oldest_key_time
        fileCreationTime = unsafe table.file_creation_time == 0 ? nil : table.file_creation_time
    }
}

extension crk_bytes {
    /// The name of an object; `nil` if RocksDB says that there is none.
    @unsafe fileprivate var objectName: String? {
        let name = unsafe text
        return name.isEmpty || name == "nullptr" ? nil : name
    }
}

extension RocksStore {
    /// Returns the properties of all table files of the column family, ordered by path; RocksDB's `GetPropertiesOfAllTables`.
    ///
    /// - Throws: ``RocksError/Code/corruption`` or ``RocksError/Code/ioError`` if a file cannot be read; ``RocksError/Code/closed``,
    ///   ``RocksError/Code/columnFamilyDropped``.
    /// - Complexity: Reads the properties of every file that is not open.
    public func tableProperties() throws(RocksError) -> [TableProperties] {
        let family = columnFamily.handle
        return unsafe try family.tableProperties { context, collected, table in
            let nothing = unsafe crk_bytes()
            return unsafe crk_tables_properties(family.pointer, false, nothing, nothing, context, collected, table)
        }
    }

    /// Returns the properties of files that may hold keys from `start` to `end`; RocksDB's `GetPropertiesOfTablesInRange`. May include a file
    /// whose first key is `end`. Returns none if `end` is not after `start`.
    public func tableProperties(
        from start: some ByteSource & ~Escapable,
        to end: some ByteSource & ~Escapable
    ) throws(RocksError) -> [TableProperties] {
        let family = columnFamily.handle
        let (start, end) = (start.withBytes { [UInt8](copying: $0) }, end.withBytes { [UInt8](copying: $0) })
        return unsafe try family.tableProperties { context, collected, table in
            unsafe start.span.bytesOfUInt8.withShimBytes { start in
                unsafe end.span.bytesOfUInt8.withShimBytes { end in
                    unsafe crk_tables_properties(family.pointer, true, start, end, context, collected, table)
                }
            }
        }
    }
}

private typealias TableSink = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<crk_table_properties>) -> Void

extension ColumnFamilyHandle {
    fileprivate func tableProperties(
        _ list: (_ context: UnsafeMutableRawPointer, _ collected: crk_pair_sink, _ table: TableSink) -> crk_status
    ) throws(RocksError) -> [TableProperties] {
        let (status, items) = unsafe Collector<TableItem>.collect { context in
            unsafe list(
                context,
                { context, name, value in
                    unsafe Collector<TableItem>.add(.collected(name.text, [UInt8](copying: value.span)), to: context)
                },
                { context, table in unsafe Collector<TableItem>.add(.table(TableProperties(table.pointee)), to: context) }
            )
        }
        try status.check(attempt("reading the table properties of"))
        var tables: [TableProperties] = []
        var collected: [String: [UInt8]] = [:]
        for item in items {
            switch item {
            case .collected(let name, let value): collected[name] = value
            case .table(var table):
                table.userCollected = collected
                tables.append(table)
                collected = [:]
            }
        }
        return tables.sorted { $0.path < $1.path }
    }
}

/// A table's collected properties precede it.
private enum TableItem {
    case collected(String, [UInt8])
    case table(TableProperties)
}
