// Properties, files, threads, memory, what a thread's calls cost.
#include "Internal.hpp"

#include <rocksdb/iostats_context.h>
#include <rocksdb/metadata.h>
#include <rocksdb/perf_context.h>
#include <rocksdb/perf_level.h>
#include <rocksdb/table.h>
#include <rocksdb/table_properties.h>
#include <rocksdb/thread_status.h>
#include <rocksdb/utilities/memory_util.h>

#include <charconv>
#include <string_view>
#include <unordered_set>

namespace {

crk_table_file describe(const rocksdb::SstFileMetaData &file, int32_t level) {
    crk_table_file out{};
    out.name = crk::lend(file.relative_filename);
    out.directory = crk::lend(file.directory);
    out.smallest_key = crk::lend(file.smallestkey);
    out.largest_key = crk::lend(file.largestkey);
    out.checksum = crk::lend(file.file_checksum);
    out.checksum_function = crk::lend(file.file_checksum_func_name);
    out.number = file.file_number;
    out.size = file.size;
    out.smallest_sequence = file.smallest_seqno;
    out.largest_sequence = file.largest_seqno;
    out.reads_sampled = file.num_reads_sampled;
    out.entries = file.num_entries;
    out.deletions = file.num_deletions;
    out.oldest_blob_file = file.oldest_blob_file_number;
    out.oldest_ancestor_time = file.oldest_ancester_time;
    out.creation_time = file.file_creation_time;
    out.level = level;
    out.temperature = static_cast<uint8_t>(file.temperature);
    out.is_being_compacted = file.being_compacted;
    return out;
}

crk_blob_file describe(const rocksdb::BlobMetaData &file) {
    crk_blob_file out{};
    out.name = crk::lend(file.blob_file_name);
    out.directory = crk::lend(file.blob_file_path);
    out.checksum = crk::lend(file.checksum_value);
    out.checksum_function = crk::lend(file.checksum_method);
    out.number = file.blob_file_number;
    out.size = file.blob_file_size;
    out.blobs = file.total_blob_count;
    out.blob_bytes = file.total_blob_bytes;
    out.garbage_blobs = file.garbage_blob_count;
    out.garbage_bytes = file.garbage_blob_bytes;
    return out;
}

crk_table_properties describe(const std::string &path, const rocksdb::TableProperties &table) {
    crk_table_properties out{};
    out.path = crk::lend(path);
    out.database_id = crk::lend(table.db_id);
    out.session_id = crk::lend(table.db_session_id);
    out.host_id = crk::lend(table.db_host_id);
    out.column_family = crk::lend(table.column_family_name);
    out.filter_policy = crk::lend(table.filter_policy_name);
    out.comparator = crk::lend(table.comparator_name);
    out.merge_operator = crk::lend(table.merge_operator_name);
    out.prefix_extractor = crk::lend(table.prefix_extractor_name);
    out.property_collectors = crk::lend(table.property_collectors_names);
    out.compression = crk::lend(table.compression_name);
    out.compression_options = crk::lend(table.compression_options);
    out.original_file_number = table.orig_file_number;
    out.data_size = table.data_size;
    out.index_size = table.index_size;
    out.index_partitions = table.index_partitions;
    out.top_level_index_size = table.top_level_index_size;
    out.filter_size = table.filter_size;
    out.raw_key_size = table.raw_key_size;
    out.raw_value_size = table.raw_value_size;
    out.data_blocks = table.num_data_blocks;
    out.entries = table.num_entries;
    out.filter_entries = table.num_filter_entries;
    out.deletions = table.num_deletions;
    out.merge_operands = table.num_merge_operands;
    out.range_deletions = table.num_range_deletions;
    out.format_version = table.format_version;
    out.fixed_key_length = table.fixed_key_len;
    out.column_family_id = table.column_family_id;
    out.creation_time = table.creation_time;
    out.oldest_key_time = table.oldest_key_time;
    out.file_creation_time = table.file_creation_time;
    out.slow_compression_estimate = table.slow_compression_estimated_data_size;
    out.fast_compression_estimate = table.fast_compression_estimated_data_size;
    out.index_keys_are_user_keys = table.index_key_is_user_key != 0;
    out.index_values_are_deltas = table.index_value_is_delta_encoded != 0;
    return out;
}

// "name = 12, other = 0, "
void numbers(const std::string &text, void *context, crk_number_sink each) {
    std::string_view rest = text;
    while (!rest.empty()) {
        const size_t end = rest.find(", ");
        const std::string_view item = rest.substr(0, end);
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 2);
        const size_t mark = item.find(" = ");
        if (mark == std::string_view::npos) { continue; }
        uint64_t number = 0;
        const char *last = item.data() + item.size();
        const auto parsed = std::from_chars(item.data() + mark + 3, last, number);
        // What is reported for each level has no single number.
        if (parsed.ec == std::errc() && parsed.ptr == last) { each(context, {item.data(), mark}, number); }
    }
}

rocksdb::Env::Priority priority(crk_thread_pool pool) {
    switch (pool) {
        case CRK_POOL_BOTTOM: return rocksdb::Env::BOTTOM;
        case CRK_POOL_LOW: return rocksdb::Env::LOW;
        case CRK_POOL_HIGH: return rocksdb::Env::HIGH;
    }
    return rocksdb::Env::LOW;
}

}  // namespace

uint64_t crk_latest_sequence_number(crk_db *db, crk_status *status) {
    uint64_t number = 0;
    *status = crk::in_database(db, [&] {
        number = db->db->GetLatestSequenceNumber();
        return rocksdb::Status::OK();
    });
    return number;
}

crk_status crk_property(crk_column_family *family, const char *name, void *context, crk_sink found) {
    return crk::in_any_family(family, [&](auto &) {
        std::string value;
        if (!family->db->db->GetProperty(family->handle, name, &value)) { return rocksdb::Status::NotFound(); }
        found(context, crk::lend(value));
        return rocksdb::Status::OK();
    });
}
crk_status crk_int_property(crk_column_family *family, const char *name, uint64_t *value) {
    return crk::in_any_family(family, [&](auto &) {
        return family->db->db->GetIntProperty(family->handle, name, value) ? rocksdb::Status::OK() : rocksdb::Status::NotFound();
    });
}

crk_status crk_map_property(crk_column_family *family, const char *name, void *context, crk_pair_sink each) {
    return crk::in_any_family(family, [&](auto &) {
        std::map<std::string, std::string> values;
        if (!family->db->db->GetMapProperty(family->handle, name, &values)) { return rocksdb::Status::NotFound(); }
        for (const auto &entry : values) { each(context, crk::lend(entry.first), crk::lend(entry.second)); }
        return rocksdb::Status::OK();
    });
}
crk_status crk_aggregated_int_property(crk_db *db, const char *name, uint64_t *value) {
    return crk::in_database(db, [&] {
        return db->db->GetAggregatedIntProperty(name, value) ? rocksdb::Status::OK() : rocksdb::Status::NotFound();
    });
}
crk_status crk_reset_stats(crk_db *db) {
    return crk::in_database(db, [&] { return db->db->ResetStats(); });
}

crk_status crk_family_metadata(crk_column_family *family, crk_family_size *total, void *context,
    void (*each_level)(void *, int32_t, uint64_t), void (*each_file)(void *, const crk_table_file *),
    void (*each_blob_file)(void *, const crk_blob_file *)) {
    return crk::in_any_family(family, [&](auto &) {
        rocksdb::ColumnFamilyMetaData data;
        family->db->db->GetColumnFamilyMetaData(family->handle, &data);
        *total = {data.size, data.file_count, data.blob_file_size, data.blob_file_count};
        for (const auto &level : data.levels) {
            each_level(context, level.level, level.size);
            for (const auto &file : level.files) {
                const crk_table_file out = describe(file, level.level);
                each_file(context, &out);
            }
        }
        for (const auto &file : data.blob_files) {
            const crk_blob_file out = describe(file);
            each_blob_file(context, &out);
        }
        return rocksdb::Status::OK();
    });
}

crk_status crk_tables_properties(crk_column_family *family, bool has_range, crk_bytes from, crk_bytes to, void *context,
    crk_pair_sink each_collected, void (*each_table)(void *, const crk_table_properties *)) {
    // Keys of a history would need times.
    return crk::in_family(family, [&](auto &) {
        rocksdb::TablePropertiesCollection tables;
        rocksdb::Status status;
        if (!has_range) {
            status = family->db->db->GetPropertiesOfAllTables(family->handle, &tables);
        } else if (family->handle->GetComparator()->Compare(crk::slice(from), crk::slice(to)) < 0) {
            const rocksdb::Range range(crk::slice(from), crk::slice(to));
            status = family->db->db->GetPropertiesOfTablesInRange(family->handle, &range, 1, &tables);
        }
        if (!status.ok()) { return status; }
        for (const auto &table : tables) {
            for (const auto &pair : table.second->user_collected_properties) {
                each_collected(context, crk::lend(pair.first), crk::lend(pair.second));
            }
            const crk_table_properties out = describe(table.first, *table.second);
            each_table(context, &out);
        }
        return status;
    }, {has_range ? crk::Time::kNone : crk::Time::kAny});
}

crk_status crk_thread_list(crk_db *db, void *context, crk_number_sink each_property, void (*each_thread)(void *, const crk_thread *)) {
    return crk::in_database(db, [&] {
        std::vector<rocksdb::ThreadStatus> threads;
        rocksdb::Status status = db->db->GetEnv()->GetThreadList(&threads);
        if (!status.ok()) { return status; }
        using Thread = rocksdb::ThreadStatus;
        for (const auto &thread : threads) {
            if (thread.operation_type == Thread::OP_COMPACTION || thread.operation_type == Thread::OP_FLUSH) {
                for (const auto &entry : Thread::InterpretOperationProperties(thread.operation_type, thread.op_properties)) {
                    each_property(context, crk::lend(entry.first), entry.second);
                }
            }
            const std::string type = Thread::GetThreadTypeName(thread.thread_type);
            crk_thread out{};
            out.type = crk::lend(type);
            out.database = crk::lend(thread.db_name);
            out.column_family = crk::lend(thread.cf_name);
            out.operation = crk::lend(Thread::GetOperationName(thread.operation_type));
            out.stage = crk::lend(Thread::GetOperationStageName(thread.operation_stage));
            out.state = crk::lend(Thread::GetStateName(thread.state_type));
            out.id = thread.thread_id;
            out.elapsed_micros = thread.op_elapsed_micros;
            each_thread(context, &out);
        }
        return status;
    });
}

crk_status crk_background_threads(crk_db *db, crk_thread_pool pool, int32_t *count) {
    return crk::in_database(db, [&] {
        *count = db->db->GetEnv()->GetBackgroundThreads(priority(pool));
        return rocksdb::Status::OK();
    });
}
crk_status crk_set_background_threads(crk_db *db, crk_thread_pool pool, int32_t count) {
    return crk::in_database(db, [&] {
        // With none, flushes and compactions would wait forever; with many, the process runs out of threads and ends.
        if (count < 1 || count > 512) { return crk::make_status(CRK_REFUSED, "the number of threads must be from 1 to 512"); }
        db->db->GetEnv()->SetBackgroundThreads(count, priority(pool));
        return crk_status{};
    });
}

crk_status crk_memory_usage(crk_db *db, crk_memory_use *use) {
    return crk::in_database(db, [&] {
        std::unordered_set<const rocksdb::Cache *> caches;
        std::vector<std::shared_ptr<rocksdb::Cache>> holders;
        auto add = [&](const std::shared_ptr<rocksdb::Cache> &cache) {
            if (cache != nullptr && caches.insert(cache.get()).second) { holders.push_back(cache); }
        };
        // Options hold the factories, and those the caches, until the end of this call.
        std::vector<rocksdb::Options> options;
        {
            std::lock_guard<std::mutex> lock(db->registry);
            for (auto *family : db->families) {
                if (!family->dropped) { options.push_back(db->db->GetOptions(family->handle)); }
            }
        }
        for (const auto &family : options) {
            if (family.table_factory != nullptr) {
                const auto *block_cache = family.table_factory->GetOptions<rocksdb::Cache>(rocksdb::TableFactory::kBlockCacheOpts());
                if (block_cache != nullptr) { caches.insert(block_cache); }
            }
            add(family.blob_cache);
            add(family.row_cache);
        }
        using Memory = rocksdb::MemoryUtil;
        std::map<Memory::UsageType, uint64_t> bytes;
        const std::vector<rocksdb::DB *> databases{db->db};
        rocksdb::Status status = Memory::GetApproximateMemoryUsageByType(databases, caches, &bytes);
        *use = {bytes[Memory::kMemTableTotal], bytes[Memory::kMemTableUnFlushed], bytes[Memory::kTableReadersTotal],
            bytes[Memory::kCacheTotal]};
        return status;
    });
}

void crk_perf_counters(void *context, crk_number_sink each_perf, crk_number_sink each_io) {
    numbers(rocksdb::get_perf_context()->ToString(), context, each_perf);
    numbers(rocksdb::get_iostats_context()->ToString(), context, each_io);
}
uint8_t crk_perf_set_level(uint8_t level) {
    const auto before = static_cast<uint8_t>(rocksdb::GetPerfLevel());
    // Anything else is asserted not to be.
    if (level >= rocksdb::kDisable && level < rocksdb::kOutOfBounds) { rocksdb::SetPerfLevel(static_cast<rocksdb::PerfLevel>(level)); }
    return before;
}
