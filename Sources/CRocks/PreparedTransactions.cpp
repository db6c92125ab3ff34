// Prepared transactions that nobody holds: recovered ones, and those that were released.
#include "Transactions.hpp"

namespace {

// The numbers of the column families that a batch writes to.
struct FamilyVisitor final : rocksdb::WriteBatch::Handler {
    std::set<uint32_t> families;
    rocksdb::Status see(uint32_t family) {
        families.insert(family);
        return rocksdb::Status::OK();
    }
    rocksdb::Status PutCF(uint32_t family, const rocksdb::Slice &, const rocksdb::Slice &) override { return see(family); }
    rocksdb::Status MergeCF(uint32_t family, const rocksdb::Slice &, const rocksdb::Slice &) override { return see(family); }
    rocksdb::Status DeleteCF(uint32_t family, const rocksdb::Slice &) override { return see(family); }
    rocksdb::Status SingleDeleteCF(uint32_t family, const rocksdb::Slice &) override { return see(family); }
    void LogData(const rocksdb::Slice &) override {}
    rocksdb::Status MarkNoop(bool) override { return rocksdb::Status::OK(); }
    rocksdb::Status MarkBeginPrepare(bool) override { return rocksdb::Status::OK(); }
    rocksdb::Status MarkEndPrepare(const rocksdb::Slice &) override { return rocksdb::Status::OK(); }
};

}  // namespace

void crk::adopt_prepared(crk_db *db) {
    std::vector<rocksdb::Transaction *> found;
    db->pessimistic->GetAllPreparedTransactions(&found);
    for (auto *object : found) {
        auto state = std::make_shared<crk::TransactionState>(db);
        state->object.reset(object);
        state->name_given = object->GetName();
        state->id = object->GetID();
        state->prepared = true;
        FamilyVisitor visitor;
        object->GetWriteBatch()->GetWriteBatch()->Iterate(&visitor).PermitUncheckedError();
        for (auto *family : db->families) {
            if (visitor.families.count(family->id) > 0) { state->use(family); }
        }
        db->prepared[state->name_given] = std::move(state);
    }
}

crk_status crk_prepared_transactions(crk_db *db, void *context, void (*each)(void *context, crk_transaction *transaction)) {
    return crk::in_database(db, [&]() -> crk_status {
        if (db->pessimistic == nullptr) { return crk::not_pessimistic(); }
        std::lock_guard<std::mutex> lock(db->transactions);
        while (!db->prepared.empty()) {
            auto state = db->prepared.begin()->second;
            auto transaction = std::make_unique<crk_transaction>(crk_transaction{state});
            db->live.insert(state.get());
            db->prepared.erase(db->prepared.begin());
            db->gate.add_child(crk::Gate::kTransaction);
            each(context, transaction.release());
        }
        return {};
    });
}
