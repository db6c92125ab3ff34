// Column families whose keys have times. RocksDB appends the time to the key; its comparator `leveldb.BytewiseComparator.u64ts` knows.
#include "Writing.hpp"

#include <rocksdb/convenience.h>
#include <rocksdb/table_properties.h>

#include <limits>

namespace {

const rocksdb::Comparator *history_comparator() {
    static const rocksdb::Comparator *const comparator = [] {
        const rocksdb::Comparator *found = nullptr;
        rocksdb::Comparator::CreateFromString(rocksdb::ConfigOptions(), "leveldb.BytewiseComparator.u64ts", &found).PermitUncheckedError();
        return found;
    }();
    return comparator;
}

// What an internal key ends in, behind the time: its kind, and its sequence number.
constexpr size_t kTrailer = 8;

bool is_deletion(unsigned char kind) { return kind == 0x0 || kind == 0x7 || kind == 0x14; }

}  // namespace

namespace crk {

std::string encode_time(uint64_t time) {
    std::string bytes;
    for (size_t i = 0; i < sizeof time; ++i) { bytes.push_back(static_cast<char>(time >> (8 * i))); }
    return bytes;
}

uint64_t decode_time(const char *bytes) {
    uint64_t time = 0;
    for (size_t i = 0; i < sizeof time; ++i) { time |= uint64_t(static_cast<unsigned char>(bytes[i])) << (8 * i); }
    return time;
}

bool is_history_comparator(const rocksdb::Comparator *comparator) { return comparator->timestamp_size() == sizeof(uint64_t); }

crk_status check_time(const crk_column_family *family, Time time) noexcept {
    if (time.kind == Time::kAny) { return {}; }
    if (!family->traits.has_history) { return make_status(CRK_NOT_SUPPORTED, "the column family keeps no history"); }
    if (time.kind == Time::kNone) {
        return make_status(CRK_NOT_SUPPORTED, "the column family keeps its history, and this needs a time: use `at`");
    }
    const uint64_t begin = family->history_begin;
    if (time.value >= begin) { return {}; }
    return make_status(CRK_INVALID_ARGUMENT,
        "the history before " + std::to_string(begin) + " is forgotten, so it cannot be read at " + std::to_string(time.value));
}

rocksdb::Status find_history(crk_column_family *family) {
    rocksdb::DB *db = family->db->db;
    uint64_t newest = 0;
    if (!family->db->read_only) {
        // Asking for the beginning before there is one ends the process; setting it back to nothing is refused where there is one.
        db->IncreaseFullHistoryTsLow(family->handle, encode_time(0)).PermitUncheckedError();
        std::string begin;
        rocksdb::Status status = db->GetFullHistoryTsLow(family->handle, &begin);
        if (!status.ok()) { return status; }
        family->history_begin = decode_time(begin.data());
        // Only files know their times.
        status = db->Flush(rocksdb::FlushOptions(), family->handle);
        if (!status.ok()) { return status; }
        rocksdb::TablePropertiesCollection tables;
        status = db->GetPropertiesOfAllTables(family->handle, &tables);
        if (!status.ok()) { return status; }
        for (const auto &table : tables) {
            const auto &collected = table.second->user_collected_properties;
            auto found = collected.find("rocksdb.timestamp_max");
            if (found != collected.end() && found->second.size() == sizeof newest) {
                newest = std::max(newest, decode_time(found->second.data()));
            }
        }
    }
    std::lock_guard<std::shared_mutex> hold(family->db->history_turn);
    uint64_t &known = family->db->newest[family->id];
    // Compactions may have taken the times of what was forgotten.
    known = std::max({known, newest, family->history_begin.load()});
    return rocksdb::Status::OK();
}

rocksdb::Status history_refusal(crk_operation operation) {
    if (operation == CRK_PUT || operation == CRK_DELETE) { return rocksdb::Status::OK(); }
    return rocksdb::Status::NotSupported("a column family that keeps its history accepts only puts and deletes");
}

}  // namespace crk

void crk_cf_options_set_history(crk_cf_options *options) { options->object.comparator = history_comparator(); }

crk_read_options *crk_read_options_create_at(const crk_read_settings *settings, crk_snapshot *snapshot, uint64_t time) {
    crk_read_options *options = crk_read_options_create(settings, snapshot);
    if (options == nullptr) { return nullptr; }
    options->has_time = true;
    options->time = time;
    options->encoded_time = crk::encode_time(time);
    options->timestamp = options->encoded_time;
    options->object.timestamp = &options->timestamp;
    return options;
}

crk_status crk_write_at(crk_column_family *family, const crk_write_options *options, crk_operation operation, crk_bytes key,
    crk_bytes value, uint64_t time) {
    return crk::in_family(family, [&](auto &) {
        rocksdb::Status status = crk::history_refusal(operation);
        if (!status.ok()) { return status; }
        if (options->disable_wal) { family->db->has_unlogged = true; }
        const std::string encoded = crk::encode_time(time);
        crk::WriteScope scope{family->db};
        return crk::write_history(family->db, {{family->id, {time, time}}}, [&] {
            const auto write = crk::write_options(*options);
            rocksdb::DB *db = family->db->db;
            return operation == CRK_PUT ? db->Put(write, family->handle, crk::slice(key), encoded, crk::slice(value))
                                        : db->Delete(write, family->handle, crk::slice(key), encoded);
        });
    }, {crk::Time::kAt, time});
}

crk_status crk_batch_add_at(crk_batch *batch, crk_column_family *family, crk_operation operation, crk_bytes key, crk_bytes value, uint64_t time) {
    return crk::in_family(family, [&](auto &) -> crk_status {
        crk_status claimed = crk::claim(batch, family);
        if (claimed.code != CRK_OK) { return claimed; }
        rocksdb::Status status = crk::history_refusal(operation);
        if (!status.ok()) { return crk::convert(status); }
        const std::string encoded = crk::encode_time(time);
        return crk::convert(operation == CRK_PUT ? batch->object.Put(family->handle, crk::slice(key), encoded, crk::slice(value))
                                                 : batch->object.Delete(family->handle, crk::slice(key), encoded));
    }, {crk::Time::kAt, time});
}

crk_status crk_history(crk_column_family *family, const crk_read_options *options, crk_bytes key, void *context,
    void (*each)(void *, uint64_t, bool, crk_bytes)) {
    return crk::in_family(family, [&](auto &) {
        return crk::reading(options, [&](const rocksdb::ReadOptions &read) {
            const std::string oldest = crk::encode_time(0), behind = crk::slice(key).ToString() + '\0';
            const rocksdb::Slice start(oldest), lower = crk::slice(key), upper(behind);
            rocksdb::ReadOptions all = read;
            all.iter_start_ts = &start;
            all.iterate_lower_bound = &lower;
            all.iterate_upper_bound = &upper;
            std::unique_ptr<rocksdb::Iterator> iterator(family->db->db->NewIterator(all, family->handle));
            for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
                // The whole internal key comes then.
                const rocksdb::Slice found = iterator->key();
                if (found.size() < sizeof(uint64_t) + kTrailer) { return rocksdb::Status::Corruption("a version without a time"); }
                const bool deleted = is_deletion(static_cast<unsigned char>(found[found.size() - kTrailer]));
                const uint64_t time = crk::decode_time(found.data() + found.size() - kTrailer - sizeof(uint64_t));
                each(context, time, deleted, deleted ? crk_bytes{} : crk::lend(iterator->value()));
            }
            return iterator->status();
        });
    }, crk::time_of(options));
}

crk_status crk_history_forget(crk_column_family *family, uint64_t begin) {
    return crk::in_family(family, [&](auto &) {
        if (family->db->read_only) { return crk::read_only_status(); }
        if (begin == UINT64_MAX) { return crk::last_time_status(); }
        rocksdb::Status status = family->db->db->IncreaseFullHistoryTsLow(family->handle, crk::encode_time(begin));
        if (!status.ok()) { return status; }
        uint64_t known = family->history_begin;
        while (known < begin && !family->history_begin.compare_exchange_weak(known, begin)) {}
        // What would be written before could not be read.
        std::lock_guard<std::shared_mutex> hold(family->db->history_turn);
        uint64_t &newest = family->db->newest[family->id];
        newest = std::max(newest, begin);
        return status;
    }, {crk::Time::kAt, std::numeric_limits<uint64_t>::max()});
}

crk_status crk_history_span(crk_column_family *family, uint64_t *begin, uint64_t *newest) {
    return crk::in_family(family, [&](auto &) {
        *begin = family->history_begin;
        std::shared_lock<std::shared_mutex> hold(family->db->history_turn);
        *newest = family->db->newest[family->id];
        return rocksdb::Status::OK();
    }, {crk::Time::kAt, std::numeric_limits<uint64_t>::max()});
}
