// Maintenance: compaction, log, live options, checkpoints, repair, destruction.
#include "Directories.hpp"
#include "LogScan.hpp"

#include <rocksdb/convenience.h>
#include <rocksdb/env.h>
#include <rocksdb/utilities/checkpoint.h>

crk_cancellation *crk_cancellation_create(void) { return new (std::nothrow) crk_cancellation{}; }
void crk_cancellation_cancel(crk_cancellation *cancellation) {
    std::lock_guard<std::mutex> lock(cancellation->mutex);
    cancellation->cancelled = true;
    if (cancellation->hook) { cancellation->hook(); }
}
void crk_cancellation_free(crk_cancellation *cancellation) { delete cancellation; }

crk_status crk_compact(crk_column_family *family, const crk_compact_options *options, const crk_range *range,
    crk_cancellation *cancellation) {
    return crk::in_any_family(family, [&](auto &) {
        crk::refuse_paused(family->db);
        rocksdb::CompactRangeOptions compact;
        compact.exclusive_manual_compaction = options->exclusive;
        compact.change_level = options->change_level;
        compact.target_level = options->target_level;
        compact.allow_write_stall = options->allow_write_stall;
        compact.max_subcompactions = options->max_subcompactions;
        compact.bottommost_level_compaction = static_cast<rocksdb::BottommostLevelCompaction>(options->bottommost_level);
        if (cancellation != nullptr) { compact.canceled = &cancellation->cancelled; }
        const bool has_low = range->reversed ? range->has_to : range->has_from, has_high = range->reversed ? range->has_from : range->has_to;
        rocksdb::Slice low = crk::slice(range->reversed ? range->to : range->from);
        rocksdb::Slice high = crk::slice(range->reversed ? range->from : range->to);
        if (range->has_lower) { low = crk::slice(range->lower); }
        if (range->has_upper) { high = crk::slice(range->upper); }
        // A null pointer, not an empty key, is "no bound".
        return family->db->db->CompactRange(
            compact, family->handle, has_low || range->has_lower ? &low : nullptr, has_high || range->has_upper ? &high : nullptr);
    });
}

crk_status crk_approximate_size(crk_column_family *family, crk_bytes from, crk_bytes to, bool include_memtables, uint64_t *size) {
    return crk::in_any_family(family, [&](auto &) {
        if (family->traits.comparator->Compare(crk::slice(from), crk::slice(to)) >= 0) {
            *size = 0;
            return rocksdb::Status::OK();
        }
        rocksdb::SizeApproximationOptions options;
        options.include_memtables = include_memtables;
        rocksdb::Range range(crk::slice(from), crk::slice(to));
        return family->db->db->GetApproximateSizes(options, family->handle, &range, 1, size);
    });
}

crk_status crk_flush_log(crk_db *db, bool sync) {
    return crk::in_database(db, [&] { return db->db->FlushWAL(sync); });
}

crk_status crk_checkpoint(crk_db *db, const char *path, uint64_t log_size_for_flush, uint64_t *sequence_number) {
    return crk::in_database(db, [&]() -> rocksdb::Status {
        crk::refuse_paused(db);
        return crk::make_directory(db->db->GetEnv(), path, db->db->GetName(), [&](const std::string &place) {
            rocksdb::Checkpoint *made = nullptr;
            rocksdb::Status status = rocksdb::Checkpoint::Create(db->db, &made);
            std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
            return status.ok() ? checkpoint->CreateCheckpoint(place, log_size_for_flush, sequence_number) : status;
        });
    });
}

crk_status crk_destroy(const char *path, const crk_db_options *options, size_t count, const char *const *names) {
    return crk::guarded([&] {
        std::vector<rocksdb::ColumnFamilyDescriptor> families;
        for (size_t i = 0; i < count; ++i) { families.emplace_back(names[i], rocksdb::ColumnFamilyOptions()); }
        return rocksdb::DestroyDB(path, rocksdb::Options(options->object, rocksdb::ColumnFamilyOptions()), families);
    });
}

crk_status crk_repair(const char *path, const crk_db_options *options, size_t count, const char *const *names,
    crk_cf_options *const *family_options, const crk_cf_options *unknown_family_options) {
    return crk::guarded([&] {
        rocksdb::Env &env = *options->object.env;
        std::string text;
        const bool known = crk::read_options_file(path, &env, text).ok();
        const std::set<std::string> merging = crk::merging_families(text);
        std::vector<rocksdb::ColumnFamilyDescriptor> families;
        for (size_t i = 0; i < count; ++i) {
            // RocksDB would leave out, without an error, what was merged and is only in the log.
            if (family_options[i]->object.merge_operator == nullptr && merging.count(names[i]) > 0) {
                return rocksdb::Status::InvalidArgument(
                    "the database merges in column family '" + std::string(names[i]) + "', but no merge operator is given for it");
            }
            families.emplace_back(names[i], family_options[i]->object);
        }
        rocksdb::Status status = crk::check_logs(env, path, !known || crk::allows_prepared(text));
        if (!status.ok()) { return status; }
        rocksdb::DBOptions with_log = options->object;
        with_log.info_log = crk::make_info_log(path, *options, true);
        return rocksdb::RepairDB(path, with_log, families, unknown_family_options->object);
    });
}
