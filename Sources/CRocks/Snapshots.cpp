// Snapshots.
#include "Internal.hpp"

crk_status crk_snapshot_create(crk_db *db, crk_snapshot **out) {
    return crk::in_database(db, [&] {
        // Its reads do not look at the snapshot they are given.
        if (db->secondary) { return rocksdb::Status::NotSupported("a secondary instance has no snapshots"); }
        auto snapshot = std::make_unique<crk_snapshot>();
        snapshot->db = db;
        const rocksdb::Snapshot *object = db->db->GetSnapshot();
        if (object == nullptr) { return rocksdb::Status::NotSupported("this database has no snapshots"); }
        snapshot->object.reset(object, [db](const rocksdb::Snapshot *last) { db->db->ReleaseSnapshot(last); });
        snapshot->sequence_number = snapshot->object->GetSequenceNumber();
        db->gate.add_child(crk::Gate::kSnapshot);
        *out = snapshot.release();
        return rocksdb::Status::OK();
    });
}
uint64_t crk_snapshot_sequence_number(const crk_snapshot *snapshot) { return snapshot->sequence_number; }
void crk_snapshot_release(crk_snapshot *snapshot) {
    crk::release([&] {
        std::unique_lock<std::shared_mutex> lock(snapshot->lock);
        if (snapshot->object == nullptr) { return; }
        // Counted as a child until now, so the database is open; so are the cursors that share it.
        snapshot->object.reset();
        snapshot->db->gate.remove_child(crk::Gate::kSnapshot);
    });
}
bool crk_snapshot_is_released(const crk_snapshot *snapshot) {
    auto *unlocked = const_cast<crk_snapshot *>(snapshot);
    std::shared_lock<std::shared_mutex> lock(unlocked->lock);
    return snapshot->object == nullptr;
}
void crk_snapshot_free(crk_snapshot *snapshot) {
    crk_snapshot_release(snapshot);
    delete snapshot;
}
