// The C++ sides of the opaque structs, and the one way a call is made: inside the gate, exceptions caught, status whole.
#pragma once

#include "CRocks.h"
#include "Gate.hpp"

#if __has_include(<rocksdb/advanced_cache.h>)
#include <rocksdb/advanced_cache.h>
#endif
#include <rocksdb/cache.h>
#include <rocksdb/compaction_filter.h>
#include <rocksdb/comparator.h>
#include <rocksdb/db.h>
#include <rocksdb/env_encryption.h>
#include <rocksdb/merge_operator.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/statistics.h>
#include <rocksdb/utilities/optimistic_transaction_db.h>
#include <rocksdb/utilities/transaction_db.h>
#include <rocksdb/write_batch.h>
#include <rocksdb/wide_columns.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

struct crk_comparator { std::shared_ptr<const rocksdb::Comparator> object; };
struct crk_merge_operator { std::shared_ptr<rocksdb::MergeOperator> object; };
struct crk_prefix_extractor { std::shared_ptr<const rocksdb::SliceTransform> object; };
struct crk_cache { std::shared_ptr<rocksdb::Cache> object; };
struct crk_statistics { std::shared_ptr<rocksdb::Statistics> object; };

namespace rocksdb { class ObjectLibrary; }
namespace crk { class LogReceiver; }
struct crk_environment {
    std::shared_ptr<rocksdb::Env> object;
    std::shared_ptr<rocksdb::EncryptionProvider> encryption{};  // null: none
};

struct crk_db_options {
    rocksdb::DBOptions object;
    std::shared_ptr<rocksdb::Env> environment;  // `object` holds only a raw pointer; null: the default one
    std::shared_ptr<rocksdb::EncryptionProvider> encryption;
    std::shared_ptr<crk::LogReceiver> log;  // where lines of the text log go
    bool log_file = true;                   // and whether they go to the file, too
};
// Raised, it calls the hook that a call has set meanwhile.
struct crk_cancellation {
    std::atomic<bool> cancelled{false};
    std::mutex mutex;  // guards the hook
    std::function<void()> hook;
};

struct crk_cf_options {
    rocksdb::ColumnFamilyOptions object;
    std::shared_ptr<const rocksdb::Comparator> comparator;  // `object` holds only a raw pointer
};

namespace crk {

// What decides whether a column family can take an operation.
struct FamilyTraits {
    const rocksdb::Comparator *comparator = nullptr;  // of keys as users see them, without timestamps
    bool has_history = false;     // keys have timestamps
    bool merges = false;          // has a merge operator
    bool adds_numbers = false;    // has RocksDB's own for numbers of 64 bits, which takes operands of another length for 0
    bool deletes_ranges = false;  // its file format can hold a deleteRange

    void read(const rocksdb::MergeOperator *merge_operator) {
        merges = merge_operator != nullptr;
        adds_numbers = merges && std::string(merge_operator->Name()) == "UInt64AddOperator";
    }
};
using KnownFamilies = std::map<uint32_t, FamilyTraits>;

// Who waits for something to be written.
struct Waiting {
    struct Wake {
        const crk_log_tail *tail;
        void *context;
        void (*wake)(void *);
    };
    std::mutex mutex;
    std::vector<Wake> wakes;
    std::atomic<size_t> count{0};
    // Those of one tail; null: all.
    void wake(const crk_log_tail *one);
};

// How many transactions have written to a column family or locked keys of it. It cannot be dropped then: giving up their locks, RocksDB
// would forget those in other column families, and it would put recovered writes into the default one.
struct FamilyUses {
    std::mutex lock;  // held while the column family is dropped
    int64_t count = 0;
};

struct TransactionState;

}  // namespace crk

struct crk_column_family {
    crk_db *db;
    rocksdb::ColumnFamilyHandle *handle;  // null once the database is closed; guarded by the gate
    uint32_t id;
    std::atomic<bool> dropped{false};
    crk::FamilyTraits traits;
    std::shared_ptr<crk::FamilyUses> uses = std::make_shared<crk::FamilyUses>();
    bool is_plain_default = false;  // `default`, without timestamps
    std::atomic<uint64_t> history_begin{0};  // earlier times are forgotten
    // What the column family's formats demand, and RocksDB asserts instead of checking:
    bool backward_never = false;       // plain tables cannot walk backwards
    bool backward_total_order = false; // hash memtables only in total order
};

struct crk_db {
    crk::Gate gate;
    uint64_t id;
    bool read_only = false;  // or secondary
    bool secondary = false;
    std::mutex catching_up;
    std::mutex disabling;                 // of manual compactions; guards the next
    int manual_compactions_disabled = 0;
    rocksdb::DB *db = nullptr;
    crk::Waiting waiting;
    std::mutex registry;  // guards the four below
    std::set<crk_column_family *> families;
    std::set<crk_log_tail *> tails;
    // Those that exist, by number, whether or not someone holds a handle; replaced as a whole, so that readers lock only to take it.
    std::shared_ptr<const crk::KnownFamilies> known = std::make_shared<crk::KnownFamilies>();
    std::shared_ptr<rocksdb::Env> env;  // of a backup opened in place; RocksDB holds a raw pointer to it
    std::vector<std::shared_ptr<const rocksdb::Comparator>> comparators;  // RocksDB holds raw pointers to them until it is gone
    // `db` again, if it was opened for transactions.
    rocksdb::TransactionDB *pessimistic = nullptr;
    rocksdb::OptimisticTransactionDB *optimistic = nullptr;
    int64_t maximum_locks = 0;
    std::mutex transactions;  // guards the next three
    std::set<crk::TransactionState *> live;
    std::map<std::string, std::shared_ptr<crk::TransactionState>> prepared;  // by name, those that nobody holds
    std::vector<std::shared_ptr<crk::TransactionState>> stuck;               // prepared, and neither committed nor rolled back: kept to keep locks
    std::shared_mutex batches_and_drops;  // shared by batches that take locks, exclusive for dropping column families
    std::atomic<bool> has_unlogged{false};        // something was written past the log
    std::atomic<bool> checks_all_batches{false};  // once a column family is dropped, or keys have timestamps
    std::shared_mutex history_turn;               // shared by writes at the newest time, exclusive for those that advance it
    std::map<uint32_t, uint64_t> newest;          // of each column family with a history; guarded by `history_turn`
    std::shared_ptr<rocksdb::Env> environment;    // outlives the database
    ~crk_db();
};

struct crk_snapshot {
    crk_db *db;
    std::shared_mutex lock;  // shared by reads, exclusive for the release
    std::shared_ptr<const rocksdb::Snapshot> object;  // shared with the cursors made through it, which read it as they go
    uint64_t sequence_number;
};

struct crk_read_options {
    rocksdb::ReadOptions object;
    crk_snapshot *snapshot;
    uint64_t timeout_micros;
    bool has_time = false;
    uint64_t time = 0;
    std::string encoded_time;  // what `timestamp` refers to
    rocksdb::Slice timestamp;  // what `object` points to
};

namespace crk {

inline rocksdb::Slice slice(crk_bytes bytes) { return {static_cast<const char *>(bytes.data), bytes.size}; }
inline crk_bytes lend(const rocksdb::Slice &slice) { return {slice.data(), slice.size()}; }

crk_status make_status(uint8_t code, const std::string &message) noexcept;
crk_status to_status(const rocksdb::Status &status) noexcept;
crk_status closed_status(const char *what) noexcept;
inline const char *const kInCallback =
    "a closure that RocksDB called (a comparator, merge operator, event handler...) is running on this thread";
rocksdb::WriteOptions write_options(const crk_write_options &options);
// Why a column family that adds numbers does not take an operand of another length than 8.
rocksdb::Status wrong_number(const rocksdb::Slice &operand);
// Why a column family cannot take an operation; OK if it can.
rocksdb::Status refusal(const FamilyTraits &family, crk_operation operation, const rocksdb::Slice &key, const rocksdb::Slice &end);
// Texts that become CRK_NOT_WRITABLE.
inline const char *const kReadOnly = "the database is open for reading only";
inline const char *const kReadOnlyBackups = "the backups are open for reading only";
inline rocksdb::Status read_only_status() { return rocksdb::Status::NotSupported(kReadOnly); }
// For what takes files from outside, or hands them out: they are on disk and unencrypted.
inline rocksdb::Status environment_status(const char *what) {
    return rocksdb::Status::NotSupported(std::string(what) + " is possible only in the default environment");
}
// The text of the file with the options that the database was last opened with.
rocksdb::Status read_options_file(const char *path, rocksdb::Env *env, std::string &text);
// What that text says: whether transactions could be prepared, and the column families that merge.
bool allows_prepared(const std::string &text);
std::set<std::string> merging_families(const std::string &text);
rocksdb::Status enable_file_deletions(rocksdb::DB *db);
// What a secondary instance cannot follow, in words that say what to do; other statuses as they are.
rocksdb::Status explain_secondary(const rocksdb::Status &status);
// Adds an operation to whatever has RocksDB's verbs.
template <class Batch> rocksdb::Status add(Batch &batch, rocksdb::ColumnFamilyHandle *family, crk_operation operation,
    const rocksdb::Slice &key, const rocksdb::Slice &value) {
    switch (operation) {
    case CRK_PUT: return batch.Put(family, key, value);
    case CRK_MERGE: return batch.Merge(family, key, value);
    case CRK_DELETE: return batch.Delete(family, key);
    case CRK_SINGLE_DELETE: return batch.SingleDelete(family, key);
    case CRK_DELETE_RANGE: return batch.DeleteRange(family, key, value);
    }
    return rocksdb::Status::NotSupported();
}
// Writes a batch of the database's column families; with `look`, each operation is looked at first.
crk_status write_batch(crk_db *db, const crk_write_options &options, rocksdb::WriteBatch &batch, bool look,
    bool unaddressed = false);
// Makes the transactions that RocksDB recovered known to `db`, with the column families they have written to.
void adopt_prepared(crk_db *db);

// Points `to` at what `from` holds.
void lend_columns(const rocksdb::WideColumns &from, std::vector<crk_column> &to);

// Runs `body`, which returns a rocksdb::Status or crk_status; no exception leaves.
inline crk_status convert(crk_status status) noexcept { return status; }
inline crk_status convert(const rocksdb::Status &status) noexcept {
    if (status.ok()) { return {}; }
    if (status.IsNotFound() && status.subcode() == rocksdb::Status::kNone && status.getState() == nullptr) {
        // As frequent as success, and says no more than its name.
        crk_status missing{};
        missing.code = CRK_NOT_FOUND;
        return missing;
    }
    return to_status(status);
}
crk_status exception_status() noexcept;
// Thrown inside `guarded` where a function returns rocksdb::Status, to leave with a status of the shim's own.
struct Failed { crk_status status; };
template <class Body> crk_status guarded(Body &&body) noexcept {
    if (!thread_lives()) {
        return on_another_thread([&] { return guarded(body); });
    }
    try {
        return convert(body());
    } catch (const Failed &failed) {
        return failed.status;
    } catch (...) {
        return exception_status();
    }
}

// Holds the gate for the length of a call.
template <int64_t weight> class Call {
public:
    explicit Call(crk_db *db) : gate_(db->gate), count_(gate_.enter(weight)) {}
    ~Call() { if (count_ != nullptr) { gate_.leave(*count_, weight); } }
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;
    explicit operator bool() const { return count_ != nullptr; }

protected:
    Gate &gate_;
    Gate::Counter *count_;
};
using DatabaseCall = Call<Gate::kCall>;
class LendingCall : public Call<Gate::kLend> {
public:
    using Call::Call;
    // The call continues as a lent value, to be ended by `Gate::end_lend` with what is returned.
    Gate::Counter &becomes_lend() {
        gate_.begin_lend();
        return *std::exchange(count_, nullptr);
    }
};

template <class Body> crk_status in_database(crk_db *db, Body &&body) noexcept {
    DatabaseCall call(db);
    if (!call) { return closed_status("database"); }
    return guarded(body);
}

// What a call says about time. RocksDB misreads keys, or ends the process, where that does not fit the column family, so calls that say
// nothing are refused by those with a history.
struct Time {
    enum Kind { kNone, kAt, kAny } kind = kNone;
    uint64_t value = 0;
};
inline Time time_of(const crk_read_options *options) { return {options->has_time ? Time::kAt : Time::kNone, options->time}; }
crk_status check_time(const crk_column_family *family, Time time) noexcept;

// Inside the database and with the column family still there. `body` receives the call.
template <class Call = DatabaseCall, class Body> crk_status in_family(crk_column_family *family, Body &&body, Time time = {}) noexcept {
    Call call(family->db);
    if (!call) { return closed_status("database"); }
    if (family->dropped.load(std::memory_order_relaxed)) { return make_status(CRK_COLUMN_FAMILY_DROPPED, "the column family was dropped"); }
    if (family->traits.has_history || time.kind == Time::kAt) {
        crk_status status = check_time(family, time);
        if (status.code != CRK_OK) { return status; }
    }
    return guarded([&] { return body(call); });
}
// For what has nothing to do with keys.
template <class Body> crk_status in_any_family(crk_column_family *family, Body &&body) noexcept {
    return in_family(family, std::forward<Body>(body), {Time::kAny});
}

// Reading through options that may name a snapshot: holds the snapshot, sets the deadline of this call. `body` receives the options.
template <class Body> crk_status reading(const crk_read_options *options, Body &&body) {
    std::shared_lock<std::shared_mutex> hold;
    if (options->snapshot != nullptr) {
        hold = std::shared_lock<std::shared_mutex>(options->snapshot->lock);
        if (options->snapshot->object == nullptr) { return closed_status("snapshot"); }
    }
    if (options->timeout_micros == 0) { return convert(body(options->object)); }
    rocksdb::ReadOptions timed = options->object;
    timed.deadline = std::chrono::microseconds(rocksdb::Env::Default()->NowMicros() + options->timeout_micros);
    return convert(body(timed));
}

// The databases whose background work this thread has paused. Waiting for such work here would never end.
inline thread_local std::vector<const crk_db *> paused_here;
inline void refuse_paused(const crk_db *db) {
    if (!thread_has_lists()) { return; }
    for (const crk_db *paused : paused_here) {
        if (paused == db) { throw Failed{make_status(CRK_REFUSED, "the background work that this needs is paused by this thread")}; }
    }
}

// Notifies readers of the log that there may be something new. Call it after every write.
inline void wrote(crk_db *db) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (db->waiting.count.load(std::memory_order_relaxed) > 0) { db->waiting.wake(nullptr); }
}
// With the gate closed.
void end_tails(crk_db *db);

// A column family that RocksDB has just made, with its handle.
crk_column_family *adopt(crk_db *db, rocksdb::ColumnFamilyHandle *handle);

// A text log that a full disk does not end the process with; null: leave it to RocksDB.
std::shared_ptr<rocksdb::Logger> make_info_log(const std::string &path, const crk_db_options &options, bool may_write);

// Timestamps as RocksDB's comparator has them: 8 bytes, little-endian.
std::string encode_time(uint64_t time);
uint64_t decode_time(const char *bytes);
bool is_history_comparator(const rocksdb::Comparator *comparator);
// Finds out, when a column family with a history is opened, which times it holds.
rocksdb::Status find_history(crk_column_family *family);

// Makes RocksDB find our objects by name, and use prefix extractors that take every key; to be called before any is made.
void register_objects();
void register_prefix_extractors(rocksdb::ObjectLibrary &library);
void register_unicode_comparators(rocksdb::ObjectLibrary &library);

}  // namespace crk
