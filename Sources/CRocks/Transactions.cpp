// Transactions: writing, reading and locking in them, and their ends.
#include "Transactions.hpp"
#include "Lending.hpp"
#include "Writing.hpp"

namespace {

using crk::TransactionState;

crk_status refused(const char *why) { return crk::make_status(CRK_REFUSED, why); }

// With the lock held: nothing more happens to it.
void finish(TransactionState &state, const char *how, bool keeps_locks = false) {
    crk_db *db = state.db;
    {
        std::lock_guard<std::mutex> lock(db->transactions);
        db->live.erase(&state);
    }
    state.over = true;
    state.end = std::string("the transaction ") + how;
    ++state.version;
    state.stuck = keeps_locks;
    if (!keeps_locks) {
        if (state.cursors == 0) { state.object.reset(); }
        state.release_uses();
    }
    db->gate.remove_child(crk::Gate::kTransaction);
}

// A prepared transaction that could be neither committed nor rolled back holds its locks until the database is closed.
void finish_stuck(std::shared_ptr<TransactionState> state, const char *how) {
    {
        std::lock_guard<std::mutex> lock(state->db->transactions);
        state->db->stuck.push_back(state);
    }
    finish(*state, how, true);
}

using crk::with;

// For what adds to the transaction. RocksDB would take a prepared one's further writes, and lose them in recovery.
template <class Body> crk_status changing(crk_transaction *transaction, Body &&body) noexcept {
    return with(transaction, [&](TransactionState &state) -> crk_status {
        if (state.prepared) { return refused("the transaction is prepared; it can only be committed or rolled back"); }
        return crk::convert(body(state));
    });
}

// For what adds to the transaction in `family`.
template <class Body> crk_status changing(crk_transaction *transaction, crk_column_family *family, Body &&body) noexcept {
    return changing(transaction, [&](TransactionState &state) -> crk_status {
        if (family->db != state.db) { return refused("the transaction and the column family belong to different databases"); }
        if (!state.use(family)) { return crk::make_status(CRK_COLUMN_FAMILY_DROPPED, "the column family was dropped"); }
        return crk::convert(body(state));
    });
}

// For what reads, with the options of the transaction. `body` receives the call, the state and the options.
template <class Call = crk::DatabaseCall, class Body>
crk_status reading(crk_transaction *transaction, crk_column_family *family, Body &&body) noexcept {
    return crk::in_family<Call>(family, [&](Call &call) {
        return with(transaction, [&](TransactionState &state) -> crk_status {
            if (family->db != state.db) { return refused("the transaction and the column family belong to different databases"); }
            return body(call, state);
        });
    });
}

rocksdb::ReadOptions at_snapshot(const TransactionState &state, const rocksdb::ReadOptions &options) {
    rocksdb::ReadOptions read = options;
    if (state.reads_snapshot) { read.snapshot = state.object->GetSnapshot(); }
    return read;
}

rocksdb::Status add_untracked(rocksdb::Transaction &object, rocksdb::ColumnFamilyHandle *family, crk_operation operation,
    const rocksdb::Slice &key, const rocksdb::Slice &value) {
    switch (operation) {
    case CRK_PUT: return object.PutUntracked(family, key, value);
    case CRK_MERGE: return object.MergeUntracked(family, key, value);
    case CRK_DELETE: return object.DeleteUntracked(family, key);
    case CRK_SINGLE_DELETE: return object.SingleDeleteUntracked(family, key);
    case CRK_DELETE_RANGE: break;
    }
    return rocksdb::Status::NotSupported();
}

rocksdb::Status add_tracked(rocksdb::Transaction &object, rocksdb::ColumnFamilyHandle *family, crk_operation operation,
    const rocksdb::Slice &key, const rocksdb::Slice &value) {
    switch (operation) {
    case CRK_PUT: return object.Put(family, key, value);
    case CRK_MERGE: return object.Merge(family, key, value);
    case CRK_DELETE: return object.Delete(family, key);
    case CRK_SINGLE_DELETE: return object.SingleDelete(family, key);
    case CRK_DELETE_RANGE: break;
    }
    return rocksdb::Status::NotSupported();
}

crk_status check_lock(const TransactionState &state, crk_lock lock, bool validate) {
    if (lock != CRK_SHARED_LOCK) { return {}; }
    // Two holders of a shared lock count as one lock when they take it and as two when they give it up, which RocksDB asserts not to be.
    if (state.db->maximum_locks > 0) { return refused("RocksDB cannot count shared locks; with maximumLocks use exclusive ones"); }
    // Made exclusive later, such a lock would hide a conflict.
    if (!validate) { return refused("a shared lock must be validated"); }
    return {};
}

rocksdb::Status commit(const std::shared_ptr<TransactionState> &state) {
    crk::WriteScope scope{state->db};
    rocksdb::Transaction &object = *state->object;
    if (state->prepared) {
        // Given up half-way, it could not be tried again.
        object.GetWriteOptions()->no_slowdown = false;
    }
    // Conflicts with it were found before, or are to be found by sequence numbers; one that is still to come makes RocksDB refuse.
    object.ClearSnapshot();
    rocksdb::Status status = object.Commit();
    if (status.ok()) {
        finish(*state, "was committed");
    } else if (state->prepared) {
        finish_stuck(state, "is over: its commit failed, and it will be prepared again when the database is reopened");
    } else if (!(state->must_be_prepared && status.subcode() == rocksdb::Status::SubCode::kTxnNotPrepared)) {
        // RocksDB has forgotten the name already; without this it would do so again, and assert that there is one.
        if (object.GetState() == rocksdb::Transaction::AWAITING_COMMIT) { object.SetState(rocksdb::Transaction::COMMITTED); }
        if (state->cursors > 0) { object.Rollback().PermitUncheckedError(); }
        finish(*state, "is over: its commit failed");
    }
    return status;
}

rocksdb::Status roll_back(const std::shared_ptr<TransactionState> &state) {
    crk::WriteScope scope{state->db};
    rocksdb::Status status = state->object->Rollback();
    if (status.ok() || !state->prepared) {
        finish(*state, "was rolled back");
        return state->prepared ? status : rocksdb::Status::OK();  // an expired one cannot be, and need not
    }
    finish_stuck(state, "is over: rolling it back failed, and it will be prepared again when the database is reopened");
    return status;
}

}  // namespace

crk_status crk_transaction_begin(crk_db *db, const crk_write_options *write_options, const crk_transaction_options *options,
    crk_transaction **out) {
    return crk::in_database(db, [&]() -> crk_status {
        if (crk::callback_depth > 0) { return refused(crk::kInCallback); }
        auto state = std::make_shared<TransactionState>(db);
        const auto write = crk::write_options(*write_options);
        if (db->pessimistic != nullptr) {
            rocksdb::TransactionOptions own;
            own.set_snapshot = options->snapshot == CRK_SNAPSHOT_NOW;
            own.deadlock_detect = options->deadlock_detect;
            own.deadlock_detect_depth = options->deadlock_depth;
            own.lock_timeout = options->lock_timeout_millis;
            own.expiration = options->expiration_millis;
            own.max_write_batch_size = options->maximum_size;
            own.skip_prepare = !options->must_be_prepared;
            state->object.reset(db->pessimistic->BeginTransaction(write, own));
            state->id = state->object->GetID();
        } else if (db->optimistic != nullptr) {
            rocksdb::OptimisticTransactionOptions own;
            own.set_snapshot = options->snapshot == CRK_SNAPSHOT_NOW;
            state->object.reset(db->optimistic->BeginTransaction(write, own));
            state->object->GetWriteBatch()->SetMaxBytes(options->maximum_size);
        } else {
            return crk::make_status(CRK_NOT_SUPPORTED,
                "the database was not opened for transactions; open it in the mode .transactions() or .optimisticTransactions()");
        }
        if (options->snapshot == CRK_SNAPSHOT_NEXT) { state->object->SetSnapshotOnNextOperation(); }
        state->expires = options->expiration_millis >= 0;
        state->must_be_prepared = options->must_be_prepared;
        state->reads_snapshot = options->reads_snapshot;
        if (write.disableWAL) { db->has_unlogged = true; }
        auto transaction = std::make_unique<crk_transaction>(crk_transaction{state});
        {
            std::lock_guard<std::mutex> lock(db->transactions);
            db->live.insert(state.get());
        }
        db->gate.add_child(crk::Gate::kTransaction);
        *out = transaction.release();
        return {};
    });
}

crk_status crk_transaction_commit(crk_transaction *transaction) {
    return with(transaction, [&](TransactionState &) { return commit(transaction->state); });
}
crk_status crk_transaction_rollback(crk_transaction *transaction) {
    return with(transaction, [&](TransactionState &) { return roll_back(transaction->state); });
}

void crk_transaction_free(crk_transaction *transaction) {
    crk::release([&] {
        auto &state = *transaction->state;
        crk_db *db = state.db;
        {
            std::lock_guard<std::mutex> alone(state.lock);
            if (state.over) {
                // Nothing to end.
            } else if (!state.prepared) {
                state.object->Rollback().PermitUncheckedError();
                finish(state, "was rolled back");
            } else {
                {
                    std::lock_guard<std::mutex> lock(db->transactions);
                    db->live.erase(&state);
                    db->prepared[state.name_given] = transaction->state;
                }
                db->gate.remove_child(crk::Gate::kTransaction);
            }
        }
        delete transaction;
    });
}

crk_status crk_transaction_write(crk_transaction *transaction, crk_column_family *family, crk_operation operation, bool untracked,
    crk_bytes key, crk_bytes value) {
    return changing(transaction, family, [&](TransactionState &state) -> rocksdb::Status {
        if (operation == CRK_DELETE_RANGE) { return rocksdb::Status::NotSupported("a transaction cannot delete ranges; delete the keys"); }
        ++state.version;
        const auto k = crk::slice(key), v = crk::slice(value);
        if (operation == CRK_MERGE) {
            rocksdb::Status status = crk::refusal(family->traits, operation, k, v);
            if (!status.ok()) { return status; }
        }
        return untracked ? add_untracked(*state.object, family->handle, operation, k, v)
                         : add_tracked(*state.object, family->handle, operation, k, v);
    });
}
crk_status crk_transaction_put_log_data(crk_transaction *transaction, crk_bytes blob) {
    // Not by the transaction's own method, which asserts that there is room.
    return changing(transaction, [&](TransactionState &state) { return state.index()->PutLogData(crk::slice(blob)); });
}

crk_status crk_transaction_get(crk_transaction *transaction, crk_column_family *family, const crk_read_options *options, crk_bytes key,
    crk_lock lock, bool validate, crk_value *value, crk_bytes *bytes) {
    return crk::in_family<crk::LendingCall>(family, [&](crk::LendingCall &call) {
        auto get = [&](TransactionState &state) -> crk_status {
            return crk::lend_value(call, family, options, value, bytes, [&](const auto &plain, rocksdb::PinnableSlice *found) {
                if (lock == CRK_NO_LOCK) {
                    return state.object->Get(at_snapshot(state, plain), family->handle, crk::slice(key), found);
                }
                return state.object->GetForUpdate(validate ? at_snapshot(state, plain) : plain, family->handle, crk::slice(key), found,
                    lock == CRK_EXCLUSIVE_LOCK, validate);
            });
        };
        if (lock == CRK_NO_LOCK) {
            return with(transaction, [&](TransactionState &state) {
                return family->db == state.db ? get(state) : refused("the transaction and the column family belong to different databases");
            });
        }
        return changing(transaction, family, [&](TransactionState &state) -> crk_status {
            crk_status status = check_lock(state, lock, validate);
            return status.code == CRK_OK ? get(state) : status;
        });
    });
}
crk_status crk_transaction_lock(crk_transaction *transaction, crk_column_family *family, const crk_read_options *options, crk_bytes key,
    crk_lock lock, bool validate) {
    return changing(transaction, family, [&](TransactionState &state) -> crk_status {
        crk_status status = check_lock(state, lock, validate);
        if (status.code != CRK_OK) { return status; }
        return crk::reading(options, [&](const rocksdb::ReadOptions &plain) {
            return state.object->GetForUpdate(plain, family->handle, crk::slice(key), static_cast<rocksdb::PinnableSlice *>(nullptr),
                lock == CRK_EXCLUSIVE_LOCK, validate);
        });
    });
}
crk_status crk_transaction_unlock(crk_transaction *transaction, crk_column_family *family, crk_bytes key) {
    return changing(transaction, family, [&](TransactionState &state) {
        state.object->UndoGetForUpdate(family->handle, crk::slice(key));
        return rocksdb::Status::OK();
    });
}

crk_status crk_transaction_multi_get(crk_transaction *transaction, crk_column_family *family, const crk_read_options *options, size_t count,
    const crk_bytes *keys, bool sorted, crk_bytes *bytes, crk_values **out) {
    return reading<crk::LendingCall>(transaction, family, [&](crk::LendingCall &call, TransactionState &state) {
        return crk::lend_values(call, family, options, count, keys, sorted, bytes, out,
            [&](const rocksdb::ReadOptions &plain, const rocksdb::Slice *slices, rocksdb::PinnableSlice *values, rocksdb::Status *statuses) {
                state.object->MultiGet(at_snapshot(state, plain), family->handle, count, slices, values, statuses, sorted);
            });
    });
}

crk_status crk_transaction_key_may_exist(crk_transaction *transaction, crk_column_family *family, const crk_read_options *options,
    crk_bytes key, bool *may_exist) {
    return reading(transaction, family, [&](crk::DatabaseCall &, TransactionState &state) -> crk_status {
        *may_exist = crk::has_entry(state, family, crk::slice(key));
        if (*may_exist) { return {}; }
        return crk::reading(options, [&](const rocksdb::ReadOptions &plain) {
            std::string value;
            *may_exist = state.db->db->KeyMayExist(at_snapshot(state, plain), family->handle, crk::slice(key), &value);
            return rocksdb::Status::OK();
        });
    });
}

crk_status crk_transaction_cursor(crk_transaction *transaction, crk_column_family *family, const crk_read_options *options,
    const crk_range *range, crk_cursor **out) {
    return reading(transaction, family, [&](crk::DatabaseCall &, TransactionState &state) {
        // Shared, so that a later snapshot does not take it from under the cursor.
        auto snapshot = state.reads_snapshot ? state.object->GetTimestampedSnapshot() : nullptr;
        return crk::make_cursor(family, options, range, transaction->state, std::move(snapshot), out);
    });
}

crk_status crk_transaction_set_save_point(crk_transaction *transaction) {
    return changing(transaction, [](TransactionState &state) {
        state.object->SetSavePoint();
        return rocksdb::Status::OK();
    });
}
crk_status crk_transaction_rollback_to_save_point(crk_transaction *transaction) {
    return changing(transaction, [](TransactionState &state) {
        ++state.version;
        return state.object->RollbackToSavePoint();
    });
}
crk_status crk_transaction_pop_save_point(crk_transaction *transaction) {
    return changing(transaction, [](TransactionState &state) { return state.object->PopSavePoint(); });
}
crk_status crk_transaction_set_snapshot(crk_transaction *transaction, crk_snapshot_time time) {
    return changing(transaction, [&](TransactionState &state) {
        switch (time) {
        case CRK_NO_SNAPSHOT: state.object->ClearSnapshot(); break;
        case CRK_SNAPSHOT_NOW: state.object->SetSnapshot(); break;
        case CRK_SNAPSHOT_NEXT: state.object->SetSnapshotOnNextOperation(); break;
        }
        return rocksdb::Status::OK();
    });
}
crk_status crk_transaction_set_indexing(crk_transaction *transaction, bool on) {
    return changing(transaction, [&](TransactionState &state) {
        on ? state.object->EnableIndexing() : state.object->DisableIndexing();
        return rocksdb::Status::OK();
    });
}
crk_status crk_transaction_set_lock_timeout(crk_transaction *transaction, int64_t millis) {
    return changing(transaction, [&](TransactionState &state) {
        state.object->SetLockTimeout(millis);
        return rocksdb::Status::OK();
    });
}

crk_status crk_transaction_set_name(crk_transaction *transaction, crk_bytes name) {
    return changing(transaction, [&](TransactionState &state) {
        // RocksDB looks whether the name is free, and then asserts that it still is.
        std::lock_guard<std::mutex> lock(state.db->transactions);
        rocksdb::Status status = state.object->SetName(crk::slice(name).ToString());
        if (status.ok()) { state.name_given = crk::slice(name).ToString(); }
        return status;
    });
}
crk_status crk_transaction_prepare(crk_transaction *transaction) {
    return changing(transaction, [&](TransactionState &state) -> crk_status {
        if (state.db->pessimistic == nullptr) {
            return crk::make_status(CRK_NOT_SUPPORTED, "optimistic transactions cannot be prepared; open the database in the mode .transactions()");
        }
        if (state.name_given.empty()) { return refused("a transaction needs a name to be prepared"); }
        // Its locks keep the time at which they may be stolen, and RocksDB asserts that a prepared transaction is not stolen from.
        if (state.expires) { return refused("a transaction that expires cannot be prepared"); }
        // It would be prepared again after a crash, though committed.
        if (state.object->GetWriteOptions()->disableWAL) { return refused("a transaction whose durability is .none cannot be prepared"); }
        // RocksDB does not note then which logs it still needs.
        if (state.db->db->GetDBOptions().enable_pipelined_write) {
            return crk::make_status(CRK_NOT_SUPPORTED, "with enable_pipelined_write a prepared transaction may be lost");
        }
        // What hangs off the save points could outlive the database.
        while (state.object->PopSavePoint().ok()) {}
        state.object->ClearSnapshot();
        crk::WriteScope scope{state.db};
        rocksdb::Status status = state.object->Prepare();
        if (status.ok()) {
            state.prepared = true;
        } else {
            finish(state, "is over: preparing it failed");
        }
        return crk::convert(status);
    });
}
