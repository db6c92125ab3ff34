import CairnCore
import CairnRocks

// Every option of `TableOptions`: its name, its property, a value to try.
extension OptionCase {
    static let allTableOptions: [OptionCase] = [
        .table("block_size", \.blockSize, .kibibytes(96)),
        .table("block_size_deviation", \.blockSizeDeviation, 20),
        .table("block_restart_interval", \.blockRestartInterval, 19),
        .table("index_block_restart_interval", \.indexBlockRestartInterval, 4),
        .table("block_align", \.blockAlign, true, with: { $0.family.compression = .none }),
        .table("data_block_index_type", \.dataBlockIndexType, .binaryAndHash),
        .table("data_block_hash_table_util_ratio", \.dataBlockHashTableUtilization, 0.5),
        .table("checksum", \.checksum, .crc32c),
        .table("format_version", \.formatVersion, 4),
        .table("flush_block_policy_factory", \.flushBlockPolicy, .everyKey),
        .table("verify_compression", \.verifyCompression, true),
        .table("filter_policy", \.filterPolicy, .bloom(bitsPerKey: 9.5)),
        .table("whole_key_filtering", \.wholeKeyFiltering, false),
        .table("optimize_filters_for_memory", \.optimizeFiltersForMemory, true),
        .table("detect_filter_construct_corruption", \.detectFilterConstructCorruption, true),
        .table("index_type", \.indexType, .twoLevel),
        .table("index_shortening", \.indexShortening, .none),
        .table("enable_index_compression", \.enableIndexCompression, false),
        .table("partition_filters", \.partitionFilters, true, with: { $0.family.table.indexType = .twoLevel }),
        .table("metadata_block_size", \.metadataBlockSize, .kibibytes(96)),
        .table("cache_index_and_filter_blocks", \.cacheIndexAndFilterBlocks, true),
        .table("cache_index_and_filter_blocks_with_high_priority", \.cacheIndexAndFilterBlocksWithHighPriority, false),
        .table("metadata_cache_options", \.metadataCacheOptions, MetadataCacheOptions(optionText: "top_level_index_pinning=kAll")!),
        .table("pin_l0_filter_and_index_blocks_in_cache", \.pinLevel0IndexAndFilterBlocks, true),
        .table("pin_top_level_index_and_filter", \.pinTopLevelIndexAndFilter, false),
        .table("no_block_cache", \.disableBlockCache, true),
        .table("prepopulate_block_cache", \.prepopulateBlockCache, .onFlush),
        .table("initial_auto_readahead_size", \.initialAutoReadahead, .kibibytes(96)),
        .table("max_auto_readahead_size", \.maxAutoReadahead, .kibibytes(96)),
        .table("num_file_reads_for_auto_readahead", \.fileReadsForAutoReadahead, 5),
        .table("read_amp_bytes_per_bit", \.readAmplificationBytesPerBit, 8),
    ]
}
