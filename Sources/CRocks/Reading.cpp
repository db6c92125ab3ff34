// Point reads.
#include "Lending.hpp"

crk_read_options *crk_read_options_create(const crk_read_settings *settings, crk_snapshot *snapshot) {
    auto *options = new (std::nothrow) crk_read_options{};
    if (options == nullptr) { return nullptr; }
    options->snapshot = snapshot;
    options->timeout_micros = settings->timeout_micros;
    auto &object = options->object;
    if (snapshot != nullptr) {
        std::shared_lock<std::shared_mutex> hold(snapshot->lock);
        object.snapshot = snapshot->object.get();
    }
    object.readahead_size = settings->readahead_size;
    object.max_skippable_internal_keys = settings->max_skippable_internal_keys;
    object.value_size_soft_limit = settings->value_size_soft_limit;
    object.io_timeout = std::chrono::microseconds(settings->io_timeout_micros);
    object.read_tier = static_cast<rocksdb::ReadTier>(settings->read_tier);
    object.rate_limiter_priority = static_cast<rocksdb::Env::IOPriority>(settings->rate_limiter_priority);
    object.verify_checksums = settings->verify_checksums;
    object.fill_cache = settings->fill_cache;
    object.tailing = settings->tailing;
    object.total_order_seek = settings->total_order_seek;
    object.auto_prefix_mode = settings->auto_prefix_mode;
    object.prefix_same_as_start = settings->prefix_same_as_start;
    object.pin_data = settings->pin_data;
    object.background_purge_on_iterator_cleanup = settings->background_purge_on_iterator_cleanup;
    object.ignore_range_deletions = settings->ignore_range_deletions;
    object.adaptive_readahead = settings->adaptive_readahead;
    object.async_io = settings->async_io;
    object.optimize_multiget_for_io = settings->optimize_multiget_for_io;
    return options;
}
void crk_read_options_free(crk_read_options *options) { delete options; }

crk_status crk_get(crk_column_family *family, const crk_read_options *options, crk_bytes key, crk_value *value, crk_bytes *bytes) {
    return crk::in_family<crk::LendingCall>(family, [&](crk::LendingCall &call) {
        return crk::lend_value(call, family, options, value, bytes, [&](const rocksdb::ReadOptions &read, rocksdb::PinnableSlice *found) {
            return family->db->db->Get(read, family->handle, crk::slice(key), found);
        });
    }, crk::time_of(options));
}
void crk_value_release(crk_value *value) {
    crk::release([&] {
        auto *lent = reinterpret_cast<crk::Lent *>(value);
        crk::Gate &gate = *lent->gate;
        crk::Gate::Counter &count = *lent->count;
        lent->~Lent();
        gate.end_lend(count, crk::Gate::kLend);
    });
}

crk_status crk_multi_get(crk_column_family *family, const crk_read_options *options, size_t count, const crk_bytes *keys, bool sorted,
    crk_bytes *bytes, crk_values **out) {
    return crk::in_family<crk::LendingCall>(family, [&](crk::LendingCall &call) {
        return crk::lend_values(call, family, options, count, keys, sorted, bytes, out,
            [&](const rocksdb::ReadOptions &read, const rocksdb::Slice *slices, rocksdb::PinnableSlice *values, rocksdb::Status *statuses) {
                family->db->db->MultiGet(read, family->handle, count, slices, values, statuses, sorted);
            });
    }, crk::time_of(options));
}
crk_status crk_multi_get_families(crk_db *db, crk_column_family *const *families, const crk_read_options *options, size_t count,
    const crk_bytes *keys, crk_bytes *bytes, crk_values **out) {
    crk::LendingCall call(db);
    if (!call) { return crk::closed_status("database"); }
    return crk::guarded([&]() -> crk_status {
        std::vector<rocksdb::ColumnFamilyHandle *> handles;
        for (size_t i = 0; i < count; ++i) {
            if (families[i]->dropped) { return crk::make_status(CRK_COLUMN_FAMILY_DROPPED, "a column family was dropped"); }
            if (families[i]->traits.has_history) { return crk::check_time(families[i], {}); }
            handles.push_back(families[i]->handle);
        }
        return crk::lend_values(call, families[0], options, count, keys, false, bytes, out,
            [&](const rocksdb::ReadOptions &read, const rocksdb::Slice *slices, rocksdb::PinnableSlice *values, rocksdb::Status *statuses) {
                db->db->MultiGet(read, count, handles.data(), slices, values, statuses, false);
            });
    });
}
void crk_values_release(crk_values *values) {
    crk::release([&] {
        crk::Gate &gate = *values->gate;
        crk::Gate::Counter &count = *values->count;
        delete values;
        gate.end_lend(count, crk::Gate::kLend);
    });
}

crk_status crk_key_may_exist(crk_column_family *family, const crk_read_options *options, crk_bytes key, bool *may_exist) {
    return crk::in_family(family, [&](auto &) -> crk_status {
        return crk::reading(options, [&](const rocksdb::ReadOptions &read) {
            std::string value;
            *may_exist = family->db->db->KeyMayExist(read, family->handle, crk::slice(key), &value);
            return rocksdb::Status::OK();
        });
    }, crk::time_of(options));
}
