// What transactions hold, and who waits for whom.
#include "Transactions.hpp"

crk_status crk_transaction_get_info(crk_transaction *transaction, crk_transaction_info *info) {
    return crk::with(transaction, [&](crk::TransactionState &state) -> crk_status {
        const auto &object = *state.object;
        *info = {object.GetNumKeys(), object.GetNumPuts(), object.GetNumDeletes(), object.GetNumMerges(), object.GetElapsedTime(),
            state.index()->GetDataSize(), 0, object.GetSnapshot() != nullptr};
        if (info->has_snapshot) { info->snapshot_number = object.GetSnapshot()->GetSequenceNumber(); }
        return {};
    });
}
uint64_t crk_transaction_id(const crk_transaction *transaction) { return transaction->state->id; }
crk_bytes crk_transaction_name(crk_transaction *transaction) {
    std::lock_guard<std::mutex> alone(transaction->state->lock);
    return crk::lend(transaction->state->name_given);
}
bool crk_transaction_is_over(crk_transaction *transaction) {
    std::lock_guard<std::mutex> alone(transaction->state->lock);
    return transaction->state->over;
}
bool crk_transaction_is_prepared(crk_transaction *transaction) {
    std::lock_guard<std::mutex> alone(transaction->state->lock);
    return transaction->state->prepared && !transaction->state->over;
}

crk_status crk_locks(crk_db *db, void *context, void (*each)(void *context, const crk_key_lock *lock)) {
    return crk::in_database(db, [&]() -> crk_status {
        if (db->pessimistic == nullptr) { return crk::not_pessimistic(); }
        for (const auto &entry : db->pessimistic->GetLockStatusData()) {
            const auto &info = entry.second;
            const crk_key_lock lock{entry.first, info.exclusive, crk::lend(info.key), info.ids.data(), info.ids.size()};
            each(context, &lock);
        }
        return {};
    });
}
crk_status crk_waits(crk_db *db, void *context, void (*each)(void *context, uint64_t id, const crk_key_lock *lock)) {
    return crk::in_database(db, [&]() -> crk_status {
        if (db->pessimistic == nullptr) { return crk::not_pessimistic(); }
        // Those on the list keep their object, and it answers without the lock, which the waiting thread holds.
        std::lock_guard<std::mutex> lock(db->transactions);
        for (const auto *state : db->live) {
            uint32_t family = 0;
            std::string key;
            const auto ids = state->object->GetWaitingTxns(&family, &key);
            if (ids.empty()) { continue; }
            const crk_key_lock wanted{family, true, crk::lend(key), ids.data(), ids.size()};
            each(context, state->id, &wanted);
        }
        return {};
    });
}
crk_status crk_deadlocks(crk_db *db, void *context,
    void (*each)(void *context, uint64_t id, const crk_key_lock *lock, bool limit, int64_t seconds)) {
    return crk::in_database(db, [&]() -> crk_status {
        if (db->pessimistic == nullptr) { return crk::not_pessimistic(); }
        for (auto &path : db->pessimistic->GetDeadlockInfoBuffer()) {
            if (path.empty()) { continue; }
            each(context, 0, nullptr, path.limit_exceeded, path.deadlock_time);
            for (const auto &step : path.path) {
                const crk_key_lock lock{step.m_cf_id, step.m_exclusive, crk::lend(step.m_waiting_key), nullptr, 0};
                each(context, step.m_txn_id, &lock, path.limit_exceeded, path.deadlock_time);
            }
        }
        return {};
    });
}
