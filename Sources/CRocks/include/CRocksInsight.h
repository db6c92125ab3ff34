// Insight: properties, files, threads, memory, statistics by name and over time, the cost of a thread's calls.
#ifndef CROCKS_INSIGHT_H
#define CROCKS_INSIGHT_H

#include "CRocksDatabase.h"

CRK_BEGIN

// A number with RocksDB's name for it; the name is lent until the sink returns.
typedef void (*crk_number_sink)(void *context, crk_bytes name, uint64_t number);

// False: the library has no statistic of that name.
bool crk_statistics_count(const crk_statistics *statistics, crk_bytes name, bool reset, uint64_t *count);
bool crk_statistics_histogram(const crk_statistics *statistics, crk_bytes name, crk_histogram *data);
uint8_t crk_statistics_level(const crk_statistics *statistics);  // rocksdb::StatsLevel
void crk_statistics_set_level(crk_statistics *statistics, uint8_t level);
crk_status crk_statistics_text(const crk_statistics *statistics, void *context, crk_sink found);
// The records from `from` (inclusive) to `to` (exclusive), in seconds since 1970: calls `at` for each record, then `each` for its numbers.
crk_status crk_statistics_history(crk_db *db, uint64_t from, uint64_t to, void *context, void (*at)(void *context, uint64_t seconds),
    crk_number_sink each);

// CRK_NOT_FOUND: there is no property of this kind with that name.
crk_status crk_map_property(crk_column_family *family, const char *name, void *context, crk_pair_sink each);
crk_status crk_aggregated_int_property(crk_db *db, const char *name, uint64_t *value);
crk_status crk_reset_stats(crk_db *db);

typedef struct crk_table_file {
    crk_bytes name, directory, smallest_key, largest_key, checksum, checksum_function;
    uint64_t number, size, smallest_sequence, largest_sequence, reads_sampled, entries, deletions;
    uint64_t oldest_blob_file, oldest_ancestor_time, creation_time;
    int32_t level;
    uint8_t temperature;  // rocksdb::Temperature
    bool is_being_compacted;
} crk_table_file;

typedef struct crk_blob_file {
    crk_bytes name, directory, checksum, checksum_function;
    uint64_t number, size, blobs, blob_bytes, garbage_blobs, garbage_bytes;
} crk_blob_file;

typedef struct crk_family_size {
    uint64_t size, file_count, blob_size, blob_file_count;
} crk_family_size;

// Each level comes before its files; everything is lent until the sink returns.
crk_status crk_family_metadata(crk_column_family *family, crk_family_size *total, void *context,
    void (*each_level)(void *context, int32_t level, uint64_t size), void (*each_file)(void *context, const crk_table_file *file),
    void (*each_blob_file)(void *context, const crk_blob_file *file));

typedef struct crk_table_properties {
    crk_bytes path, database_id, session_id, host_id, column_family, filter_policy, comparator, merge_operator, prefix_extractor;
    crk_bytes property_collectors, compression, compression_options;
    uint64_t original_file_number, data_size, index_size, index_partitions, top_level_index_size, filter_size, raw_key_size;
    uint64_t raw_value_size, data_blocks, entries, filter_entries, deletions, merge_operands, range_deletions, format_version;
    uint64_t fixed_key_length, column_family_id, creation_time, oldest_key_time, file_creation_time;
    uint64_t slow_compression_estimate, fast_compression_estimate;
    bool index_keys_are_user_keys, index_values_are_deltas;
} crk_table_properties;

// Each file's properties; user-collected ones are passed first, pair by pair. With a range, only files that may hold keys in it.
crk_status crk_tables_properties(crk_column_family *family, bool has_range, crk_bytes from, crk_bytes to, void *context,
    crk_pair_sink each_collected, void (*each_table)(void *context, const crk_table_properties *table));

typedef struct crk_thread {
    crk_bytes type, database, column_family, operation, stage, state;
    uint64_t id, elapsed_micros;
} crk_thread;

// The properties of a thread's operation are passed before the thread, number by number.
crk_status crk_thread_list(crk_db *db, void *context, crk_number_sink each_property,
    void (*each_thread)(void *context, const crk_thread *thread));

typedef enum crk_thread_pool { CRK_POOL_BOTTOM, CRK_POOL_LOW, CRK_POOL_HIGH } crk_thread_pool;
// The pools belong to the process: all databases share them.
crk_status crk_background_threads(crk_db *db, crk_thread_pool pool, int32_t *count);
crk_status crk_set_background_threads(crk_db *db, crk_thread_pool pool, int32_t count);

typedef struct crk_memory_use {
    uint64_t memtables, unflushed_memtables, table_readers, caches;
} crk_memory_use;
crk_status crk_memory_usage(crk_db *db, crk_memory_use *use);

// What this thread's calls have cost since it started: all counters of rocksdb::PerfContext, then those of rocksdb::IOStatsContext.
void crk_perf_counters(void *context, crk_number_sink each_perf, crk_number_sink each_io);
// How much is counted on this thread from now on (rocksdb::PerfLevel, 1 to 5); returns the previous level.
uint8_t crk_perf_set_level(uint8_t level);

CRK_END

#endif
