import CRocks
import CairnCore

/// Owns a C++ DBOptions while a database is opened.
@safe final class DatabaseOptionsHandle {
    let pointer: OpaquePointer
    /// The cache that ``DatabaseOptions/memoryBudget`` asks for, to pass to each column family.
    let sharedCache: BlockCache?
    /// Whether paths refer to the file system.
    let isOnDisk: Bool

    init(_ options: DatabaseOptions) throws(RocksError) {
        isOnDisk = options.environment.isOnDisk
        // Made before the pointer, which a failed init would not free.
        sharedCache = if let budget = options.memoryBudget { try BlockCache(sharing: budget) } else { nil }
        guard let pointer = unsafe crk_db_options_create() else { throw RocksError(.outOfMemory, "not enough memory for options") }
        unsafe self.pointer = pointer
        if options.environment !== Environment.default, let environment = options.environment.handle {
            unsafe crk_db_options_set_environment(pointer, environment.pointer)
        }
        // First, so that streams end even if the rest is refused.
        if let events = options.events { unsafe try events.listen(pointer) }
        unsafe try checkOptions(options.withShimSettings { unsafe crk_db_options_set(pointer, $0, $1) })
        if let rowCache = options.rowCache {
            guard rowCache.takesAnyKey else {
                throw RocksError(
                    .invalidOption,
                    "option 'rowCache' does not accept a clock cache, which would keep nothing; use an LRU cache"
                )
            }
            unsafe crk_db_options_set_row_cache(pointer, rowCache.handle.pointer)
        }
        if let statistics = options.statistics { unsafe crk_db_options_set_statistics(pointer, statistics.handle.pointer) }
        if let handler = options.logHandler {
            try unsafe crk_db_options_set_log(
                pointer,
                options.writesLogFile,
                CallbackBox.retained(handler),
                { context, level, text in
                    unsafe CallbackBox<LogHandler>.with(context) { unsafe $0(InfoLogLevel(shimLevel: level), text.text) }
                },
                { context in unsafe CallbackBox<LogHandler>.release(context) }
            ).check("setting a log handler")
        }
        if let sharedCache, let budget = options.memoryBudget {
            let limit = Int(clamping: max(0, budget.bytes / 2))
            try unsafe crk_db_options_set_write_buffer_limit(pointer, limit, sharedCache.handle.pointer).check(
                "limiting memory to \(budget)"
            )
        }
        try set(options)
    }

    /// Shared limits, which are passed along with the options.
    private func set(_ options: DatabaseOptions) throws(RocksError) {
        if let limiter = options.rateLimiter { unsafe crk_db_options_set_rate_limiter(pointer, limiter.handle.pointer) }
        if let manager = options.fileManager {
            guard manager.environment === options.environment else {
                throw RocksError(.invalidOption, "the fileManager was made for a different environment than the database's")
            }
            try checkOptions(unsafe crk_db_options_set_file_manager(pointer, manager.handle.pointer))
        }
        if let manager = options.writeBufferManager {
            guard options.memoryBudget == nil else {
                throw RocksError(.invalidOption, "memoryBudget and writeBufferManager both limit the memtables; set only one")
            }
            unsafe crk_db_options_set_write_buffer_manager(pointer, manager.handle.pointer)
        }
    }

    /// Whether there is a file at `path`. A path that cannot be checked counts as missing; opening then reports the reason.
    func hasFile(_ path: String) -> Bool { unsafe crk_file_exists(path, pointer) }

    /// The names in a directory; empty if it cannot be read.
    func files(in directory: String) -> [String] {
        let (status, names) = unsafe Collector<String>.collect { collector in
            unsafe crk_list_files(directory, pointer, collector) { collector, name in
                unsafe Collector<String>.add(name.text, to: collector)
            }
        }
        crk_status_free(status)
        return names
    }

    /// The path to open or lock a database by. RocksDB compares paths as text: it would open one database twice under two spellings of its path, and
    /// each would delete the other's files.
    func place(_ path: String) -> String { isOnDisk ? FileSystem.resolved(path) : path }

    deinit { unsafe crk_db_options_free(pointer) }
}

/// Owns a C++ ColumnFamilyOptions while a column family is opened or created.
@safe final class ColumnFamilyOptionsHandle {
    let pointer: OpaquePointer

    init(_ options: ColumnFamilyOptions, sharedCache: BlockCache?) throws(RocksError) {
        try options.comparator?.checkName()
        try options.mergeOperator?.checkName()
        try options.compactionFilter?.checkName()
        let prefixExtractor = options.prefixExtractor.object
        try options.prefixExtractor.checkName()
        try options.memtableInsertHintPrefix.checkName()
        guard let pointer = unsafe crk_cf_options_create() else { throw RocksError(.outOfMemory, "not enough memory for options") }
        unsafe self.pointer = pointer
        try options.checkRules()
        var byName = options
        if prefixExtractor != nil { byName.settings["prefix_extractor"] = nil }
        unsafe try checkOptions(byName.withShimSettings { unsafe crk_cf_options_set(pointer, $0, $1) })
        try set(options.table, sharedCache: sharedCache, namedFactory: options.settings["table_factory"])
        if let blobCache = options.blobCache { unsafe crk_cf_options_set_blob_cache(pointer, blobCache.handle.pointer) }
        if let comparator = options.comparator { unsafe crk_cf_options_set_comparator(pointer, comparator.handle.pointer) }
        if options.keepsHistory { unsafe crk_cf_options_set_history(pointer) }
        if let limiter = options.compactionLimiter { unsafe crk_cf_options_set_task_limiter(pointer, limiter.handle.pointer) }
        if let rule = options.compactsDeletions {
            try checkOptions(
                unsafe crk_cf_options_compact_on_deletion(pointer, max(0, rule.window), max(0, rule.deletions), rule.ratio ?? 0)
            )
        }
        if let mergeOperator = options.mergeOperator { unsafe crk_cf_options_set_merge_operator(pointer, mergeOperator.handle.pointer) }
        if let prefixExtractor { unsafe crk_cf_options_set_prefix_extractor(pointer, prefixExtractor.pointer) }
        if let filter = options.compactionFilter {
            try unsafe crk_cf_options_set_compaction_filter(pointer, filter.handle.pointer).check("setting a compaction filter")
        }
    }

    private func set(_ table: TableOptions, sharedCache: BlockCache?, namedFactory: String?) throws(RocksError) {
        if let namedFactory {
            guard table.isDefault else {
                throw RocksError(
                    .invalidOption,
                    "option 'table_factory' is set to '\(namedFactory)' and so are options of the block-based table; set only one"
                )
            }
            return
        }
        var table = table
        let sharesCache = sharedCache != nil && table.blockCache == nil
        if sharesCache {
            table.blockCache = sharedCache
            table.keepsMetadata()
        }
        guard !table.isDefault else { return }
        let cache = unsafe table.blockCache?.handle.pointer
        unsafe try checkOptions(
            table.withShimSettings { unsafe crk_cf_options_set_block_based_table(pointer, $0, $1, cache, sharesCache) }
        )
    }

    deinit { unsafe crk_cf_options_free(pointer) }
}

private func checkOptions(_ status: crk_status) throws(RocksError) {
    guard status.isOK else { throw status.error("setting options", code: .invalidOption) }
}
