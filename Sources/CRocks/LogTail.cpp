// Reading the write-ahead log as it grows, and the operations of batches.
#include "Records.hpp"
#include "Writing.hpp"

#include <rocksdb/transaction_log.h>
#include <rocksdb/version.h>

#include <algorithm>

struct crk_log_tail {
    crk_db *db;
    bool skips_gaps;
    std::mutex lock;             // guards the below
    std::atomic<uint64_t> next;  // the number of the first write not yet handed out
    uint64_t safe_until = 0;     // up to this number the log can be read (see `mark`)
    std::unique_ptr<rocksdb::TransactionLogIterator> iterator;
};

namespace {

crk_status gone(uint64_t next, const std::string &why) {
    return crk::make_status(CRK_LOG_TRUNCATED, "the changes from number " + std::to_string(next) + " on are not in the log: " + why);
}

// RocksDB asserts that what it reads of the log is also in the memtables, and what is being written just now is not. It reads no further than
// it must to get to a number; but if the write of that number is not in the log (it went past it, or its log is deleted), that is the end of the
// log. So a record without operations is put there first: every read stops at it, at the latest.
rocksdb::Status mark(crk_log_tail &tail) {
    rocksdb::DB *db = tail.db->db;
    const uint64_t latest = db->GetLatestSequenceNumber();
    rocksdb::WriteBatch nothing;
    rocksdb::Status status = nothing.PutLogData(crk::kMark);
    if (status.ok()) { status = db->Write(rocksdb::WriteOptions(), &nothing); }
    if (status.ok() && db->GetDBOptions().manual_wal_flush) { status = db->FlushWAL(false); }
    if (status.ok()) { tail.safe_until = latest; }
    return status;
}

// Whether the log begins behind `next`.
rocksdb::Status begins_behind(crk_log_tail &tail, bool &behind) {
    rocksdb::VectorLogPtr logs;
    rocksdb::Status status = tail.db->db->GetSortedWalFiles(logs);
    if (!status.ok()) { return status; }
    behind = true;
    for (const auto &log : logs) {
        if (log->StartSequence() != 0 && log->StartSequence() <= tail.next) { behind = false; }
    }
    return status;
}

}  // namespace

crk_status crk_batch_records(const crk_batch *batch, void *context, crk_record_sink each) {
    return crk::guarded([&] {
        crk::RecordVisitor visitor(context, each);
        return batch->object.Iterate(&visitor);
    });
}

crk_status crk_log_tail_create(crk_db *db, uint64_t first, bool skip_gaps, crk_log_tail **out) {
    return crk::in_database(db, [&]() -> crk_status {
        if (db->read_only) { return crk::to_status(rocksdb::Status::NotSupported("only a database that is open for writing can be followed")); }
        // A prepared transaction is in the log, but in no memtable until it is committed.
        if (db->db->GetDBOptions().allow_2pc) {
            return crk::to_status(rocksdb::Status::NotSupported("the log of a database with two-phase commits cannot be followed"));
        }
        const uint64_t latest = db->db->GetLatestSequenceNumber();
        if (first > latest + 1) {
            return crk::make_status(CRK_REFUSED, "the latest change is number " + std::to_string(latest));
        }
        auto tail = std::make_unique<crk_log_tail>();
        tail->db = db;
        tail->skips_gaps = skip_gaps;
        tail->next = std::max<uint64_t>(first, 1);
        std::lock_guard<std::mutex> lock(db->registry);
        db->tails.insert(tail.get());
        *out = tail.release();
        return {};
    });
}

namespace {

// Moves to the next batch; the caller holds the lock. Returns 1, or 0 if there is none yet, or -1 on failure.
int advance(crk_log_tail &tail, rocksdb::BatchResult &result, crk_status &status) {
    const auto fail = [&](crk_status why) {
        tail.iterator.reset();
        status = why;
        return -1;
    };
    for (int failures = 0;;) {
        rocksdb::DB *db = tail.db->db;
        if (tail.next > db->GetLatestSequenceNumber()) { return 0; }
        const bool resumes = tail.iterator != nullptr;
        rocksdb::Status read;
        if (resumes) {
            if (tail.next > tail.safe_until) { read = mark(tail); }
            if (!read.ok()) { return fail(crk::to_status(read)); }
            tail.iterator->Next();
        } else {
            // The file with the mark must not go before it is opened.
            tail.iterator.reset();
            read = db->DisableFileDeletions();
            if (!read.ok()) { return fail(crk::to_status(read)); }
            rocksdb::Status marked = mark(tail);
            if (marked.ok()) { read = db->GetUpdatesSince(tail.next, &tail.iterator); }
            crk::enable_file_deletions(db).PermitUncheckedError();
            if (!marked.ok()) { return fail(crk::to_status(marked)); }
        }
        if (read.ok()) { read = tail.iterator->status(); }
        if (!read.ok() || !tail.iterator->Valid()) {
            tail.iterator.reset();
            // A gap, or a log that was closed or moved meanwhile: from its number again.
            if (resumes || ++failures < 16) { continue; }
            if (!read.ok() && !read.IsNotFound()) { return fail(crk::to_status(read)); }
            return fail(gone(tail.next, "there is no log"));
        }
        result = tail.iterator->GetBatch();
        // Of an earlier time, in the archive: what is prepared has numbers that others have too.
        rocksdb::Status known = crk::check_records(result.writeBatchPtr->Data(), true);
        if (known.IsNotSupported()) { return fail(crk::to_status(known)); }
        if (result.sequence > tail.next) {
            if (!tail.skips_gaps) {
                bool behind = false;
                rocksdb::Status listed = begins_behind(tail, behind);
                if (!listed.ok()) { return fail(crk::to_status(listed)); }
                return fail(gone(tail.next, behind ? "it begins later" : "they were made without it, up to number "
                    + std::to_string(result.sequence - 1)));
            }
            tail.next = result.sequence;
        }
        // Records like those of `mark`, and what comes before the number wanted.
        if (result.sequence + result.writeBatchPtr->Count() > tail.next) { return 1; }
    }
}

}  // namespace

crk_status crk_log_tail_next(crk_log_tail *tail, void *context, crk_sink batch, crk_record_sink each, uint64_t *sequence_number,
    uint32_t *count, bool *found) {
    *found = false;
    return crk::in_database(tail->db, [&]() -> crk_status {
        std::lock_guard<std::mutex> lock(tail->lock);
        rocksdb::BatchResult result;
        crk_status status{};
        if (advance(*tail, result, status) != 1) { return status; }
        batch(context, crk::lend(result.writeBatchPtr->Data()));
        crk::RecordVisitor visitor(context, each);
        rocksdb::Status decoded = result.writeBatchPtr->Iterate(&visitor);
        if (!decoded.ok()) { return crk::to_status(decoded); }
        *sequence_number = result.sequence;
        *count = result.writeBatchPtr->Count();
        tail->next = result.sequence + *count;
        *found = true;
        return {};
    });
}

void crk_log_tail_wait(crk_log_tail *tail, void *context, void (*wake)(void *)) {
    crk::DatabaseCall call(tail->db);
    if (call) {
        crk::Waiting &waiting = tail->db->waiting;
        std::lock_guard<std::mutex> lock(waiting.mutex);
        waiting.wakes.push_back({tail, context, wake});
        waiting.count = waiting.wakes.size();
        // A writer that saw no one waiting has raised the number before.
        std::atomic_thread_fence(std::memory_order_seq_cst);
        if (tail->db->db->GetLatestSequenceNumber() < tail->next) { return; }
        waiting.wakes.pop_back();
        waiting.count = waiting.wakes.size();
    }
    wake(context);
}
void crk_log_tail_wake(crk_log_tail *tail) { tail->db->waiting.wake(tail); }
uint64_t crk_log_tail_next_sequence_number(crk_log_tail *tail) { return tail->next; }

void crk_log_tail_free(crk_log_tail *tail) {
    crk::DatabaseCall call(tail->db);  // keeps a concurrent close out; closed already is fine
    {
        std::lock_guard<std::mutex> lock(tail->db->registry);
        tail->db->tails.erase(tail);
    }
    tail->db->waiting.wake(tail);
    delete tail;
}

void crk::end_tails(crk_db *db) {
    for (crk_log_tail *tail : db->tails) { tail->iterator.reset(); }
    db->waiting.wake(nullptr);
}

void crk::Waiting::wake(const crk_log_tail *one) {
    std::vector<Wake> woken;
    {
        std::lock_guard<std::mutex> lock(mutex);
        auto rest = std::partition(wakes.begin(), wakes.end(), [&](const Wake &wake) { return one != nullptr && wake.tail != one; });
        woken.assign(rest, wakes.end());
        wakes.erase(rest, wakes.end());
        count = wakes.size();
    }
    for (const auto &wake : woken) { wake.wake(wake.context); }
}
