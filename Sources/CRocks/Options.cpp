// Options by RocksDB's own names, through its option maps.
#include "ProcessEnd.hpp"

#include <rocksdb/convenience.h>
#include <rocksdb/table.h>
#include <rocksdb/write_buffer_manager.h>

#include <unordered_map>

namespace {

using Map = std::unordered_map<std::string, std::string>;

// Unknown names and values are errors, never skipped.
rocksdb::ConfigOptions strict_config() {
    rocksdb::ConfigOptions config;
    config.ignore_unknown_options = false;
    config.ignore_unsupported_options = false;
    config.input_strings_escaped = false;
    return config;
}

// Whether RocksDB knows no option of this name. It says so of settings within values, too, whose names follow.
bool is_unknown(const rocksdb::Status &status, const std::string &name) {
    const std::string text = status.ToString();
    const bool is_of_option = text.find("Could not find option") != std::string::npos || text.find("Unrecognized option") != std::string::npos;
    return is_of_option && text.size() > name.size() && text.compare(text.size() - name.size(), name.size(), name) == 0;
}

// Sets all of `settings` with `set(map)`; when that fails, tries them one by one to name the culprit.
template <class Set> crk_status apply(const crk_setting *settings, size_t count, Set &&set) {
    return crk::guarded([&]() -> crk_status {
        Map map;
        for (size_t i = 0; i < count; ++i) { map[crk::slice(settings[i].name).ToString()] = crk::slice(settings[i].value).ToString(); }
        rocksdb::Status all = crk::before_end([&] { return set(map); });
        if (all.ok()) { return {}; }
        for (const auto &setting : map) {
            rocksdb::Status one = crk::before_end([&] { return set(Map{setting}); });
            if (one.ok()) { continue; }
            crk_status status = crk::make_status(static_cast<uint8_t>(one.code()), is_unknown(one, setting.first)
                ? "there is no option '" + setting.first + "'"
                : "option '" + setting.first + "' does not accept '" + setting.second + "': " + one.ToString());
            status.subcode = static_cast<uint8_t>(one.subcode());
            return status;
        }
        return crk::to_status(all);
    });
}

rocksdb::Status list(const std::string &text, void *context, crk_pair_sink each) {
    Map map;
    rocksdb::Status status = rocksdb::StringToMap(text, &map);
    if (!status.ok()) { return status; }
    std::map<std::string, std::string> sorted(map.begin(), map.end());
    for (const auto &entry : sorted) { each(context, crk::lend(entry.first), crk::lend(entry.second)); }
    return status;
}

rocksdb::Status list_db(const rocksdb::DBOptions &options, void *context, crk_pair_sink each) {
    std::string text;
    rocksdb::Status status = rocksdb::GetStringFromDBOptions(strict_config(), options, &text);
    return status.ok() ? list(text, context, each) : status;
}

rocksdb::Status list_cf(const rocksdb::ColumnFamilyOptions &options, void *context, crk_pair_sink each) {
    std::string text;
    rocksdb::Status status = rocksdb::GetStringFromColumnFamilyOptions(strict_config(), options, &text);
    return status.ok() ? list(text, context, each) : status;
}

}  // namespace

crk_db_options *crk_db_options_create(void) { return new (std::nothrow) crk_db_options{}; }
void crk_db_options_free(crk_db_options *options) { delete options; }

crk_status crk_db_options_set(crk_db_options *options, const crk_setting *settings, size_t count) {
    return apply(settings, count, [&](const Map &map) {
        rocksdb::DBOptions updated;
        rocksdb::Status status = rocksdb::GetDBOptionsFromMap(strict_config(), options->object, map, &updated);
        if (status.ok()) { options->object = updated; }
        return status;
    });
}
void crk_db_options_set_statistics(crk_db_options *options, crk_statistics *statistics) { options->object.statistics = statistics->object; }
crk_status crk_db_options_set_write_buffer_limit(crk_db_options *options, size_t limit, crk_cache *cache) {
    return crk::guarded([&] {
        options->object.write_buffer_manager = std::make_shared<rocksdb::WriteBufferManager>(limit, cache->object);
        return rocksdb::Status::OK();
    });
}
void crk_db_options_set_row_cache(crk_db_options *options, crk_cache *cache) { options->object.row_cache = cache->object; }
crk_status crk_db_options_list(const crk_db_options *options, void *context, crk_pair_sink each) {
    return crk::guarded([&] { return crk::before_end([&] { return list_db(options->object, context, each); }); });
}

crk_cf_options *crk_cf_options_create(void) {
    crk::register_objects();
    return new (std::nothrow) crk_cf_options{};
}
void crk_cf_options_free(crk_cf_options *options) { delete options; }

crk_status crk_cf_options_set(crk_cf_options *options, const crk_setting *settings, size_t count) {
    return apply(settings, count, [&](const Map &map) {
        rocksdb::ColumnFamilyOptions updated;
        rocksdb::Status status = rocksdb::GetColumnFamilyOptionsFromMap(strict_config(), options->object, map, &updated);
        if (status.ok()) { options->object = updated; }
        return status;
    });
}
crk_status crk_cf_options_set_block_based_table(
    crk_cf_options *options, const crk_setting *settings, size_t count, crk_cache *cache, bool charges_readers) {
    rocksdb::BlockBasedTableOptions table;
    crk_status status = apply(settings, count, [&](const Map &map) {
        rocksdb::BlockBasedTableOptions updated;
        rocksdb::Status outcome = rocksdb::GetBlockBasedTableOptionsFromMap(strict_config(), table, map, &updated);
        if (outcome.ok()) { table = updated; }
        return outcome;
    });
    if (status.code != CRK_OK) { return status; }
    return crk::guarded([&] {
        if (cache != nullptr) { table.block_cache = cache->object; }
        if (charges_readers) {
            auto &readers = table.cache_usage_options.options_overrides[rocksdb::CacheEntryRole::kBlockBasedTableReader];
            readers.charged = rocksdb::CacheEntryRoleOptions::Decision::kEnabled;
        }
        options->object.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
        return rocksdb::Status::OK();
    });
}
void crk_cf_options_set_comparator(crk_cf_options *options, crk_comparator *comparator) {
    options->comparator = comparator->object;
    options->object.comparator = comparator->object.get();
}
void crk_cf_options_set_merge_operator(crk_cf_options *options, crk_merge_operator *merge_operator) {
    options->object.merge_operator = merge_operator->object;
}
void crk_cf_options_set_prefix_extractor(crk_cf_options *options, crk_prefix_extractor *extractor) {
    options->object.prefix_extractor = extractor->object;
}
void crk_cf_options_set_blob_cache(crk_cf_options *options, crk_cache *cache) { options->object.blob_cache = cache->object; }
crk_status crk_cf_options_list(const crk_cf_options *options, void *context, crk_pair_sink each) {
    return crk::guarded([&] { return crk::before_end([&] { return list_cf(options->object, context, each); }); });
}
crk_status crk_table_options_list(void *context, crk_pair_sink each) {
    return crk::guarded([&] {
        std::unique_ptr<rocksdb::TableFactory> factory(rocksdb::NewBlockBasedTableFactory());
        std::string text;
        rocksdb::Status status = factory->GetOptionString(strict_config(), &text);
        return status.ok() ? list(text, context, each) : status;
    });
}
crk_status crk_settings_parse(crk_bytes text, void *context, crk_pair_sink each) {
    return crk::guarded([&] { return list(crk::slice(text).ToString(), context, each); });
}

crk_status crk_current_db_options(crk_db *db, void *context, crk_pair_sink each) {
    return crk::in_database(db, [&] { return list_db(db->db->GetDBOptions(), context, each); });
}
crk_status crk_current_cf_options(crk_column_family *family, void *context, crk_pair_sink each) {
    return crk::in_any_family(family, [&](auto &) { return list_cf(family->db->db->GetOptions(family->handle), context, each); });
}
crk_status crk_current_table_options(crk_column_family *family, void *context, crk_pair_sink each) {
    return crk::in_any_family(family, [&](auto &) {
        // The text of a column family's options has only the name of the format.
        const auto factory = family->db->db->GetOptions(family->handle).table_factory;
        if (factory == nullptr || !factory->IsInstanceOf(rocksdb::TableFactory::kBlockBasedTableName())) { return rocksdb::Status::OK(); }
        std::string text;
        rocksdb::Status status = factory->GetOptionString(strict_config(), &text);
        return status.ok() ? list(text, context, each) : status;
    });
}
