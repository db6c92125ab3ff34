// Point reads.
#include "Internal.hpp"

namespace {

// What a `crk_value` holds: the pinned bytes and where they are counted as lent.
struct Lent {
    rocksdb::PinnableSlice slice;
    crk::Gate *gate;
    crk::Gate::Counter *count;
};
static_assert(sizeof(Lent) <= sizeof(crk_value) && alignof(Lent) <= alignof(crk_value), "crk_value is too small");

// An empty value may come without an address; null is kept for "missing".
crk_bytes lend_value(const rocksdb::Slice &slice) { return slice.data() == nullptr ? crk_bytes{"", 0} : crk::lend(slice); }

}  // namespace

struct crk_values {
    std::vector<rocksdb::PinnableSlice> slices;
    crk::Gate *gate;
    crk::Gate::Counter *count;
};

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
    return crk::in_family(family, [&](crk::DatabaseCall &call) -> crk_status {
        auto *lent = new (value) Lent{{}, &family->db->gate, nullptr};
        crk_status status;
        try {
            status = crk::reading(options, [&](const rocksdb::ReadOptions &read) {
                return family->db->db->Get(read, family->handle, crk::slice(key), &lent->slice);
            });
            if (status.code == CRK_OK) {
                *bytes = lend_value(lent->slice);
                lent->count = &call.becomes_lend();
                return status;
            }
        } catch (...) {
            lent->~Lent();
            throw;
        }
        lent->~Lent();
        return status;
    }, crk::time_of(options));
}
void crk_value_release(crk_value *value) {
    auto *lent = reinterpret_cast<Lent *>(value);
    crk::Gate &gate = *lent->gate;
    crk::Gate::Counter &count = *lent->count;
    lent->~Lent();
    gate.end_lend(count);
}

crk_status crk_multi_get(crk_column_family *family, const crk_read_options *options, size_t count, const crk_bytes *keys, bool sorted,
    crk_bytes *bytes, crk_values **out) {
    return crk::in_family(family, [&](crk::DatabaseCall &call) -> crk_status {
        std::vector<rocksdb::Slice> slices;
        slices.reserve(count);
        for (size_t i = 0; i < count; ++i) {
            slices.push_back(crk::slice(keys[i]));
            // RocksDB ends the process over a false promise.
            if (sorted && i > 0 && family->traits.comparator->Compare(slices[i - 1], slices[i]) > 0) {
                return crk::make_status(CRK_REFUSED, "the keys are said to be sorted, but they are not");
            }
        }
        auto values = std::make_unique<crk_values>();
        values->slices.resize(count);
        std::vector<rocksdb::Status> statuses(count);
        crk_status status = crk::reading(options, [&](const rocksdb::ReadOptions &read) {
            family->db->db->MultiGet(read, family->handle, count, slices.data(), values->slices.data(), statuses.data(), sorted);
            return rocksdb::Status::OK();
        });
        if (status.code != CRK_OK) { return status; }
        for (size_t i = 0; i < count; ++i) {
            if (statuses[i].ok()) {
                bytes[i] = lend_value(values->slices[i]);
            } else if (statuses[i].IsNotFound()) {
                bytes[i] = {nullptr, 0};
            } else {
                return crk::to_status(statuses[i]);
            }
        }
        values->gate = &family->db->gate;
        values->count = &call.becomes_lend();
        *out = values.release();
        return {};
    }, crk::time_of(options));
}
void crk_values_release(crk_values *values) {
    crk::Gate &gate = *values->gate;
    crk::Gate::Counter &count = *values->count;
    delete values;
    gate.end_lend(count);
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
