// Values that are read and lent until they are released.
#pragma once

#include "Internal.hpp"

namespace crk {

// What a `crk_value` holds: the pinned bytes and where they are counted as lent.
struct Lent {
    rocksdb::PinnableSlice slice;
    Gate *gate;
    Gate::Counter *count;
};
static_assert(sizeof(Lent) <= sizeof(crk_value) && alignof(Lent) <= alignof(crk_value), "crk_value is too small");

// An empty value may come without an address; null is kept for "missing".
inline crk_bytes lend_pinned(const rocksdb::Slice &slice) { return slice.data() == nullptr ? crk_bytes{"", 0} : lend(slice); }

// `get` reads into a pinned slice through the options it receives.
template <class Get> crk_status lend_value(LendingCall &call, crk_column_family *family, const crk_read_options *options, crk_value *value,
    crk_bytes *bytes, Get &&get) {
    auto *lent = new (value) Lent{{}, &family->db->gate, nullptr};
    crk_status status;
    try {
        status = reading(options, [&](const rocksdb::ReadOptions &read) { return get(read, &lent->slice); });
        if (status.code == CRK_OK) {
            *bytes = lend_pinned(lent->slice);
            lent->count = &call.becomes_lend();
            return status;
        }
    } catch (...) {
        lent->~Lent();
        throw;
    }
    lent->~Lent();
    return status;
}

}  // namespace crk

struct crk_values {
    std::vector<rocksdb::PinnableSlice> slices;
    crk::Gate *gate;
    crk::Gate::Counter *count;
};

namespace crk {

// `get` fills pinned slices and statuses for the keys it receives.
template <class Get> crk_status lend_values(LendingCall &call, crk_column_family *family, const crk_read_options *options, size_t count,
    const crk_bytes *keys, bool sorted, crk_bytes *bytes, crk_values **out, Get &&get) {
    std::vector<rocksdb::Slice> slices;
    slices.reserve(count);
    for (size_t i = 0; i < count; ++i) {
        slices.push_back(slice(keys[i]));
        // RocksDB ends the process over a false promise.
        if (sorted && i > 0 && family->traits.comparator->Compare(slices[i - 1], slices[i]) > 0) {
            return make_status(CRK_REFUSED, "the keys are said to be sorted, but they are not");
        }
    }
    auto values = std::make_unique<crk_values>();
    values->slices.resize(count);
    std::vector<rocksdb::Status> statuses(count);
    crk_status status = reading(options, [&](const rocksdb::ReadOptions &read) {
        get(read, slices.data(), values->slices.data(), statuses.data());
        return rocksdb::Status::OK();
    });
    if (status.code != CRK_OK) { return status; }
    for (size_t i = 0; i < count; ++i) {
        if (statuses[i].ok()) {
            bytes[i] = lend_pinned(values->slices[i]);
        } else if (statuses[i].IsNotFound()) {
            bytes[i] = {nullptr, 0};
        } else {
            return to_status(statuses[i]);
        }
    }
    values->gate = &family->db->gate;
    values->count = &call.becomes_lend();
    *out = values.release();
    return {};
}

}  // namespace crk
