// Entities: named columns under one key.
#include "Writing.hpp"

#include <rocksdb/snapshot.h>
#include <rocksdb/wide_columns.h>

#include <algorithm>

namespace {

// Sorted, as RocksDB wants them. Names that come twice are its error.
rocksdb::WideColumns wide(const crk_column *columns, size_t count) {
    rocksdb::WideColumns list;
    list.reserve(count);
    for (size_t i = 0; i < count; ++i) { list.emplace_back(crk::slice(columns[i].name), crk::slice(columns[i].value)); }
    std::sort(list.begin(), list.end(), [](const auto &a, const auto &b) { return a.name().compare(b.name()) < 0; });
    return list;
}

rocksdb::Status check_names(const rocksdb::WideColumns &columns) {
    for (size_t i = 1; i < columns.size(); ++i) {
        if (columns[i - 1].name() == columns[i].name()) { return rocksdb::Status::InvalidArgument("a column's name appears twice"); }
    }
    return rocksdb::Status::OK();
}

bool is_plain(const rocksdb::WideColumns &columns) { return columns.size() == 1 && columns[0].name().empty(); }

// RocksDB 7.8 mistakes the reference to a plain value in a blob file for the value itself. Reads it again, as a value.
crk_status read_blob(crk_column_family *family, const crk_read_options *options, crk_bytes key, rocksdb::PinnableWideColumns &columns) {
    uint64_t blobs = 0;
    rocksdb::DB *db = family->db->db;
    if (!db->GetIntProperty(family->handle, "rocksdb.num-blob-files", &blobs) || blobs == 0) { return {}; }
    return crk::reading(options, [&](const rocksdb::ReadOptions &read) {
        // Both reads must see the same.
        rocksdb::ReadOptions same = read;
        std::unique_ptr<rocksdb::ManagedSnapshot> snapshot;
        if (same.snapshot == nullptr) {
            snapshot = std::make_unique<rocksdb::ManagedSnapshot>(db);
            same.snapshot = snapshot->snapshot();
        }
        columns.Reset();
        rocksdb::Status status = db->GetEntity(same, family->handle, crk::slice(key), &columns);
        if (!status.ok() || !is_plain(columns.columns())) { return status; }
        std::string value;
        status = db->Get(same, family->handle, crk::slice(key), &value);
        columns.Reset();
        if (status.ok()) { columns.SetPlainValue(value); }
        return status;
    });
}

}  // namespace

struct crk_entity {
    rocksdb::PinnableWideColumns object;
    std::vector<crk_column> columns;
    crk::Gate *gate;
    crk::Gate::Counter *count;
};

namespace crk {

void lend_columns(const rocksdb::WideColumns &from, std::vector<crk_column> &to) {
    to.clear();
    to.reserve(from.size());
    for (const auto &column : from) { to.push_back({lend(column.name()), lend(column.value())}); }
}

bool skip_number(rocksdb::Slice &data, uint32_t &number) {
    number = 0;
    for (int shift = 0; shift <= 28 && !data.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(data[0]);
        data.remove_prefix(1);
        number |= uint32_t(byte & 0x7F) << shift;
        if (byte < 0x80) { return true; }
    }
    return false;
}

bool skip_bytes(rocksdb::Slice &data, rocksdb::Slice *bytes) {
    uint32_t size;
    if (!skip_number(data, size) || size > data.size()) { return false; }
    if (bytes != nullptr) { *bytes = {data.data(), size}; }
    data.remove_prefix(size);
    return true;
}

// The format: db/wide/wide_column_serialization.h.
bool read_entity(rocksdb::Slice data, std::vector<crk_column> *columns) {
    uint32_t version, count;
    if (!skip_number(data, version) || version != 1 || !skip_number(data, count)) { return false; }
    uint64_t values = 0;
    rocksdb::Slice last, name;
    for (uint32_t i = 0; i < count; ++i, last = name) {
        uint32_t size;
        if (!skip_bytes(data, &name) || !skip_number(data, size)) { return false; }
        if (i > 0 && last.compare(name) >= 0) { return false; }
        if (columns != nullptr) { columns->push_back({lend(name), {nullptr, size}}); }
        values += size;
    }
    if (values != data.size()) { return false; }
    if (columns != nullptr) {
        for (auto &column : *columns) {
            column.value.data = data.data();
            data.remove_prefix(column.value.size);
        }
    }
    return true;
}

rocksdb::Status entity_refusal(const FamilyTraits &family) {
    if (family.has_history) { return rocksdb::Status::NotSupported("a column family that keeps its history cannot hold entities"); }
    // A merge onto an entity in memory would stop the database for good.
    if (family.merges && crk_version() < 8000000) {
        return rocksdb::Status::NotSupported("with a merge operator, RocksDB before 8.0 cannot hold entities");
    }
    return rocksdb::Status::OK();
}

}  // namespace crk

crk_status crk_put_entity(crk_column_family *family, const crk_write_options *options, crk_bytes key, const crk_column *columns, size_t count) {
    return crk::in_family(family, [&](auto &) {
        rocksdb::Status status = crk::entity_refusal(family->traits);
        if (status.ok() && family->db->pessimistic != nullptr) {
            status = rocksdb::Status::NotSupported("RocksDB takes no lock to write an entity: a database opened for transactions cannot write them");
        }
        const auto list = wide(columns, count);
        if (status.ok()) { status = check_names(list); }
        if (!status.ok()) { return status; }
        if (options->disable_wal) { family->db->has_unlogged = true; }
        crk::WriteScope scope{family->db};
        return family->db->db->PutEntity(crk::write_options(*options), family->handle, crk::slice(key), list);
    });
}

crk_status crk_batch_put_entity(crk_batch *batch, crk_column_family *family, crk_bytes key, const crk_column *columns, size_t count) {
    if (family == nullptr) {
        return crk::make_status(CRK_INVALID_ARGUMENT, "a batch needs a column family for entities: use makeBatch() or `in`");
    }
    return crk::in_family(family, [&](auto &) -> crk_status {
        crk_status claimed = crk::claim(batch, family);
        if (claimed.code != CRK_OK) { return claimed; }
        rocksdb::Status status = crk::entity_refusal(family->traits);
        const auto list = wide(columns, count);
        if (status.ok()) { status = check_names(list); }
        return crk::convert(status.ok() ? batch->object.PutEntity(family->handle, crk::slice(key), list) : status);
    });
}

crk_status crk_get_entity(crk_column_family *family, const crk_read_options *options, crk_bytes key, crk_entity **out,
    const crk_column **columns, size_t *count) {
    return crk::in_family<crk::LendingCall>(family, [&](crk::LendingCall &call) -> crk_status {
        auto entity = std::make_unique<crk_entity>();
        crk_status status = crk::reading(options, [&](const rocksdb::ReadOptions &read) {
            return family->db->db->GetEntity(read, family->handle, crk::slice(key), &entity->object);
        });
        if (status.code != CRK_OK) { return status; }
        if (is_plain(entity->object.columns())) { status = read_blob(family, options, key, entity->object); }
        if (status.code != CRK_OK) { return status; }
        crk::lend_columns(entity->object.columns(), entity->columns);
        *columns = entity->columns.data();
        *count = entity->columns.size();
        entity->gate = &family->db->gate;
        entity->count = &call.becomes_lend();
        *out = entity.release();
        return status;
    });
}
void crk_entity_release(crk_entity *entity) {
    crk::release([&] {
        crk::Gate &gate = *entity->gate;
        crk::Gate::Counter &count = *entity->count;
        delete entity;
        gate.end_lend(count, crk::Gate::kLend);
    });
}
crk_status crk_read_entity(crk_bytes entity, void *context, crk_pair_sink each) {
    return crk::guarded([&] {
        std::vector<crk_column> columns;
        if (!crk::read_entity(crk::slice(entity), &columns)) { return rocksdb::Status::Corruption("the entity is damaged"); }
        for (const auto &column : columns) { each(context, column.name, column.value); }
        return rocksdb::Status::OK();
    });
}
