// A transaction, and what keeps it.
#pragma once

#include "Overlay.hpp"

namespace crk {

// Lives as long as a handle, a cursor, or (prepared) the database refers to it.
struct TransactionState final : Overlay {
    crk_db *db;
    std::unique_ptr<rocksdb::Transaction> object;  // goes when the transaction is over and the last cursor with it
    std::string name_given;
    uint64_t id = 0;
    bool prepared = false;
    bool expires = false;
    bool must_be_prepared = false;
    bool reads_snapshot = false;
    bool stuck = false;  // over, but still to hold its locks
    std::vector<std::shared_ptr<FamilyUses>> uses;

    explicit TransactionState(crk_db *db) : db(db) {}
    ~TransactionState() override { release_uses(); }
    rocksdb::WriteBatchWithIndex *index() override { return object->GetWriteBatch(); }
    void last_cursor_gone() override { if (over && !stuck) { object.reset(); } }

    // Counts the transaction in where it writes or locks for the first time; false: the column family is gone.
    bool use(crk_column_family *family) {
        for (const auto &known : uses) { if (known == family->uses) { return true; } }
        std::lock_guard<std::mutex> hold(family->uses->lock);
        if (family->dropped) { return false; }
        uses.push_back(family->uses);
        ++family->uses->count;
        return true;
    }
    void release_uses() {
        for (const auto &use : uses) {
            std::lock_guard<std::mutex> hold(use->lock);
            --use->count;
        }
        uses.clear();
    }
};

}  // namespace crk

struct crk_transaction { std::shared_ptr<crk::TransactionState> state; };

namespace crk {

// Runs `body` with the transaction to itself, unless it is over.
template <class Body> crk_status with(crk_transaction *transaction, Body &&body) noexcept {
    return with_overlay(*transaction->state, [&] { return body(*transaction->state); });
}

inline crk_status not_pessimistic() {
    return make_status(CRK_NOT_SUPPORTED, "only a database opened in the mode .transactions() has locks");
}

}  // namespace crk
