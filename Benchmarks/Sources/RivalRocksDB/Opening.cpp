#include "Rival.hpp"

#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/table.h>

namespace {

std::string open_error;

// What Open fills is a raw pointer in older releases and a unique_ptr in newer ones.
template <class Open> auto open_to(Open &&open, std::unique_ptr<rocksdb::DB> &db, int) -> decltype(open(&db)) { return open(&db); }
template <class Open> rocksdb::Status open_to(Open &&open, std::unique_ptr<rocksdb::DB> &db, long) {
    rocksdb::DB *opened = nullptr;
    rocksdb::Status status = open(&opened);
    db.reset(opened);
    return status;
}

}  // namespace

rival *rival_open(const char *path, const char *secondary, const char *db_options, const char *family_options,
    const char *table_options, size_t block_cache_bytes, rival_extension extension, const void *value_template, size_t value_size) {
    rocksdb::ConfigOptions config;
    config.ignore_unknown_options = false;
    rocksdb::DBOptions database;
    rocksdb::ColumnFamilyOptions family;
    rocksdb::BlockBasedTableOptions table;
    rocksdb::Status status = rocksdb::GetDBOptionsFromString(config, {}, db_options, &database);
    if (status.ok()) { status = rocksdb::GetColumnFamilyOptionsFromString(config, {}, family_options, &family); }
    if (status.ok()) { status = rocksdb::GetBlockBasedTableOptionsFromString(config, {}, table_options, &table); }
    auto made = std::make_unique<rival>();
    if (status.ok()) {
        table.block_cache = rocksdb::NewLRUCache(block_cache_bytes);
        family.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
        bench::extend(family, extension);
        const rocksdb::Options options(database, family);
        auto open = [&](auto *to) -> decltype(rocksdb::DB::Open(options, path, to)) {
            return secondary == nullptr ? rocksdb::DB::Open(options, path, to) : rocksdb::DB::OpenAsSecondary(options, path, secondary, to);
        };
        status = extension == RIVAL_TRANSACTIONS ? bench::open_for_transactions(options, path, *made) : open_to(open, made->db, 0);
    }
    if (!status.ok()) {
        open_error = status.ToString();
        return nullptr;
    }
    made->value_template.assign(static_cast<const char *>(value_template), value_size);
    return made.release();
}

void rival_close(rival *rival) { delete rival; }
const char *rival_error(const rival *rival) { return rival == nullptr ? open_error.c_str() : rival->error.c_str(); }

bool rival_catch_up(rival *rival) { return rival->check(rival->db->TryCatchUpWithPrimary()); }

bool rival_compact(rival *rival) {
    if (!rival->check(rival->db->Flush({}))) { return false; }
    rocksdb::CompactRangeOptions options;
    options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
    return rival->check(rival->db->CompactRange(options, nullptr, nullptr));
}
