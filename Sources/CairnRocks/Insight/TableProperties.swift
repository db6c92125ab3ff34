import CRocks
public import CairnCore

/// What a table file says about itself; RocksDB's `TableProperties`.
public struct TableProperties: Sendable, Hashable {
    /// The file.
    public let path: String
    /// How many entries it has: puts, merges, deletions.
    public let entryCount: UInt64
    /// How many of them are deletions of keys.
    public let deletionCount: UInt64
    /// How many are merge operands.
    public let mergeOperandCount: UInt64
    /// How many are deletions of ranges.
    public let rangeDeletionCount: UInt64
    /// How many keys or prefixes were added to the filter.
    public let filterEntryCount: UInt64
    /// How many blocks the entries are in.
    public let dataBlockCount: UInt64
    /// How large those blocks are in the file.
    public let dataSize: ByteCount
    /// How large the index is, all of its parts.
    public let indexSize: ByteCount
    /// In how many parts the index is divided; 0: it is not.
    public let indexPartitionCount: UInt64
    /// How large the top of a divided index is.
    public let topLevelIndexSize: ByteCount
    /// How large the filter is.
    public let filterSize: ByteCount
    /// How large all keys are, uncompressed.
    public let rawKeySize: ByteCount
    /// How large all values are, uncompressed.
    public let rawValueSize: ByteCount
    /// How large the data would be with a slow, thorough compression, estimated from samples; `nil` without
    /// ``ColumnFamilyOptions/sampleForCompression``.
    public let slowCompressionEstimate: ByteCount?
    /// The same with a fast one.
    public let fastCompressionEstimate: ByteCount?
    /// The length that all keys have; `nil` if they differ, or the format does not tell.
    public let fixedKeyLength: UInt64?
    /// The version of the file format.
    public let formatVersion: UInt64
    /// Whether index keys lack RocksDB's sequence numbers.
    public let indexKeysAreUserKeys: Bool
    /// Whether index values are stored as differences.
    public let indexValuesAreDeltas: Bool
    /// The number of the column family it was made for; `nil` if unknown.
    public let columnFamilyID: UInt32?
    /// The name of the column family it was made for; empty if unknown.
    public let columnFamilyName: String
    /// The order of its keys.
    public let comparator: String
    /// How its operands merge; `nil` without a merge operator.
    public let mergeOperator: String?
    /// How prefixes were taken; `nil` without a prefix extractor.
    public let prefixExtractor: String?
    /// The kind of its filter; `nil` if it has none.
    public let filterPolicy: String?
    /// How its blocks are compressed, such as `LZ4` or `NoCompression`.
    public let compression: String
    /// The options of that, as text.
    public let compressionOptions: String
    /// Who collected ``userCollected``, as text.
    public let propertyCollectors: String
    /// The number that the file was made under; 0 if unknown. With ``sessionID``, it tells the file from all others in the world.
    public let originalFileNumber: UInt64
    /// The identity of the database that made it.
    public let databaseID: String
    /// The identity of the opening in which it was made.
    public let sessionID: String
    /// The machine that made it.
    public let hostID: String
    /// When its newest key was written, about, in seconds since 1970; `nil` if unknown.
    public let creationTime: UInt64?
    /// When its oldest key was written, about; `nil` if unknown.
    public let oldestKeyTime: UInt64?
    /// When the file was made; `nil` if unknown.
    public let fileCreationTime: UInt64?
    /// What RocksDB's and others' collectors noted, by name. Some of the values are bytes, not text.
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
    /// The name of an object; `nil` where RocksDB says that there is none.
    @unsafe fileprivate var objectName: String? {
        let name = unsafe text
        return name.isEmpty || name == "nullptr" ? nil : name
    }
}

extension RocksStore {
    /// What every table file of the column family says about itself, in the order of their paths; RocksDB's `GetPropertiesOfAllTables`.
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

    /// The same for files that may hold keys from `start` to `end`; RocksDB's `GetPropertiesOfTablesInRange`. A file whose first key is `end`
    /// may be among them. None, if `end` is not behind `start`.
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

/// What was collected for a table comes before it.
private enum TableItem {
    case collected(String, [UInt8])
    case table(TableProperties)
}
