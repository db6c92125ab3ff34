// Opening, closing, column families.
#include "Backup.hpp"
#include "Footers.hpp"
#include "LogScan.hpp"
#include "ProcessEnd.hpp"
#include "Transactions.hpp"

#include <rocksdb/convenience.h>
#include <rocksdb/memtablerep.h>
#include <rocksdb/table.h>
#include <rocksdb/table_properties.h>
#include <rocksdb/utilities/options_util.h>

#include <thread>

namespace {

// Releases differ in what Open fills: first a raw pointer, later a unique_ptr. `open_to` calls whichever the headers have.
template <class DB, class Open> auto open_to(Open &&open, std::unique_ptr<DB> &db, int) -> decltype(open(&db)) { return open(&db); }
template <class DB, class Open> rocksdb::Status open_to(Open &&open, std::unique_ptr<DB> &db, long) {
    DB *raw = nullptr;
    rocksdb::Status status = open(&raw);
    db.reset(raw);
    return status;
}

// With the registry locked.
template <class Change> void change_known(crk_db *db, Change &&change) {
    auto known = std::make_shared<crk::KnownFamilies>(*db->known);
    change(*known);
    db->known = std::move(known);
}

std::unique_ptr<crk_column_family> wrap(crk_db *db, rocksdb::ColumnFamilyHandle *handle) {
    auto family = std::make_unique<crk_column_family>();
    family->db = db;
    family->handle = handle;
    family->id = handle->GetID();
    family->traits.has_history = crk::is_history_comparator(handle->GetComparator());
    // Keys come here without their times.
    family->traits.comparator = family->traits.has_history ? rocksdb::BytewiseComparator() : handle->GetComparator();
    family->is_plain_default = family->id == 0 && !family->traits.has_history;
    rocksdb::ColumnFamilyDescriptor descriptor;
    if (handle->GetDescriptor(&descriptor).ok()) {
        const auto &options = descriptor.options;
        const bool plain = options.table_factory != nullptr && options.table_factory->IsInstanceOf("PlainTable");
        const std::string memtable = options.memtable_factory == nullptr ? "" : options.memtable_factory->Name();
        const bool hash = memtable.compare(0, 4, "Hash") == 0;
        family->backward_never = plain;
        family->backward_total_order = hash;
        family->traits.read(options.merge_operator.get());
        // A row cache does not see that a range was deleted.
        family->traits.deletes_ranges = options.table_factory != nullptr && options.table_factory->IsDeleteRangeSupported()
            && db->db->GetDBOptions().row_cache == nullptr;
    }
    if (family->traits.has_history) { db->checks_all_batches = true; }
    std::lock_guard<std::mutex> lock(db->registry);
    db->families.insert(family.get());
    change_known(db, [&](crk::KnownFamilies &known) { known[family->id] = family->traits; });
    return family;
}

// What the files of a column family hold may not be read with its options: operands that nothing combines, over which RocksDB ends the process,
// and deletions of ranges, which a row cache does not see.
rocksdb::Status check_files(rocksdb::DB &db, rocksdb::ColumnFamilyHandle *handle, bool merges, bool row_cache) {
    rocksdb::TablePropertiesCollection tables;
    if ((merges && !row_cache) || !db.GetPropertiesOfAllTables(handle, &tables).ok()) { return rocksdb::Status::OK(); }
    const std::string family = "column family '" + handle->GetName() + "' holds ";
    for (const auto &table : tables) {
        bool known = false;
        if (!merges && rocksdb::GetMergeOperands(table.second->user_collected_properties, &known) > 0) {
            return rocksdb::Status::InvalidArgument(family + "merge operands, but no merge operator is given for it");
        }
        if (row_cache && table.second->num_range_deletions > 0) {
            return rocksdb::Status::InvalidArgument(
                family + "range deletions, which a row cache would not see; compact it without one first");
        }
    }
    return rocksdb::Status::OK();
}

// Whether the database was last opened in a way that prepares transactions or, if no file says how it was opened, as in copies made from a secondary
// instance, has them in its log. RocksDB ends the process over the marks of them unless it allows for them; if it does, it keeps what is prepared
// until the database is opened for transactions.
bool may_hold_prepared(const char *path, const rocksdb::DBOptions &options) {
    std::string text;
    if (crk::read_options_file(path, options.env, text).ok()) { return crk::allows_prepared(text); }
    return !crk::check_logs(*options.env, options.wal_dir.empty() ? path : options.wal_dir, true).ok();
}

// Fails if the database is open for writing already. RocksDB sees that too, but only after it has renamed the LOG of the process that has it open.
rocksdb::Status check_lock(rocksdb::Env &env, const std::string &file) {
    rocksdb::FileLock *lock = nullptr;
    if (!env.FileExists(file).ok()) { return rocksdb::Status::OK(); }
    const rocksdb::Status status = env.LockFile(file, &lock);
    return status.ok() ? env.UnlockFile(lock) : status;
}

using Families = std::vector<rocksdb::ColumnFamilyDescriptor>;
using Handles = std::vector<rocksdb::ColumnFamilyHandle *>;

rocksdb::Status open_for_transactions(const crk_open_settings &settings, const rocksdb::DBOptions &options, const char *path,
    const Families &families, Handles *handles, crk_db &db, std::unique_ptr<rocksdb::DB> &out) {
    rocksdb::TransactionDBOptions own;
    own.max_num_locks = settings.transactions.maximum_locks;
    own.max_num_deadlocks = settings.transactions.deadlock_history;
    own.num_stripes = settings.transactions.stripes;
    own.transaction_lock_timeout = settings.transactions.lock_timeout_millis;
    own.default_lock_timeout = settings.transactions.write_lock_timeout_millis;
    auto open = [&](auto *opened) -> decltype(rocksdb::TransactionDB::Open(options, own, path, families, handles, opened)) {
        return rocksdb::TransactionDB::Open(options, own, path, families, handles, opened);
    };
    std::unique_ptr<rocksdb::TransactionDB> opened;
    rocksdb::Status status = open_to(open, opened, 0);
    db.pessimistic = opened.get();
    db.maximum_locks = settings.transactions.maximum_locks;
    out = std::move(opened);
    return status;
}

rocksdb::Status open_for_optimistic(const crk_open_settings &settings, const rocksdb::DBOptions &options, const char *path,
    const Families &families, Handles *handles, crk_db &db, std::unique_ptr<rocksdb::DB> &out) {
    if (options.unordered_write) {
        return rocksdb::Status::NotSupported("optimistic transactions do not detect conflicts with unordered_write");
    }
    rocksdb::OptimisticTransactionDBOptions own;
    own.validate_policy = settings.optimistic.serial_validation ? rocksdb::OccValidationPolicy::kValidateSerial
                                                                : rocksdb::OccValidationPolicy::kValidateParallel;
    own.occ_lock_buckets = settings.optimistic.lock_buckets;
    auto open = [&](auto *opened) -> decltype(rocksdb::OptimisticTransactionDB::Open(options, own, path, families, handles, opened)) {
        return rocksdb::OptimisticTransactionDB::Open(options, own, path, families, handles, opened);
    };
    std::unique_ptr<rocksdb::OptimisticTransactionDB> opened;
    rocksdb::Status status = open_to(open, opened, 0);
    db.optimistic = opened.get();
    out = std::move(opened);
    return status;
}

rocksdb::Status no_history() {
    return rocksdb::Status::NotSupported("a database opened for transactions cannot have column families that keep their history");
}

// With the gate closed to everyone else.
rocksdb::Status tear_down(crk_db *db) {
    crk::BeforeEnd::remove(db);
    std::lock_guard<std::mutex> lock(db->registry);
    crk::end_tails(db);
    // Closing flushes too, but keeps its failure to itself: what went past the log would be lost without a word.
    rocksdb::Status flushed;
    // What is open for reading only has refused it.
    if (db->has_unlogged && !db->read_only && !db->db->GetDBOptions().avoid_flush_during_shutdown) {
        std::vector<rocksdb::ColumnFamilyHandle *> handles;
        for (auto *family : db->families) {
            if (!family->dropped) { handles.push_back(family->handle); }
        }
        flushed = db->db->Flush(rocksdb::FlushOptions(), handles);
    }
    // They hold locks in a part of the database that goes with it. What is prepared stays so, in the log.
    for (auto &entry : db->prepared) { entry.second->object.reset(); }
    for (auto &state : db->stuck) { state->object.reset(); }
    db->prepared.clear();
    db->stuck.clear();
    for (auto *family : db->families) {
        db->db->DestroyColumnFamilyHandle(family->handle).PermitUncheckedError();
        family->handle = nullptr;
    }
    rocksdb::Status status = db->db->Close();
    delete db->db;
    db->db = nullptr;
    return flushed.ok() ? status : flushed;
}

}  // namespace

crk_db::~crk_db() {
    if (db != nullptr) { tear_down(this).PermitUncheckedError(); }
}

crk_column_family *crk::adopt(crk_db *db, rocksdb::ColumnFamilyHandle *handle) { return wrap(db, handle).release(); }

crk_status crk_list_column_families(const char *path, const crk_db_options *options, void *context, crk_sink each) {
    return crk::guarded([&] {
        std::vector<std::string> names;
        rocksdb::Status status = crk::before_end([&] { return rocksdb::DB::ListColumnFamilies(options->object, path, &names); });
        for (const auto &name : names) { each(context, crk::lend(name)); }
        return status;
    });
}

struct crk_directory_lock {
    rocksdb::Env *env;  // the default one, which is never gone, or that of `environment`
    std::shared_ptr<rocksdb::Env> environment;
    rocksdb::FileLock *lock;
};

crk_status crk_directory_lock_create(const char *path, const crk_db_options *options, crk_directory_lock **out) {
    return crk::guarded([&] {
        auto held = std::make_unique<crk_directory_lock>();
        held->env = options->object.env;
        held->environment = options->environment;
        rocksdb::Status status = crk::before_end([&] { return held->env->LockFile(std::string(path) + "/LOCK", &held->lock); });
        if (status.ok()) { *out = held.release(); }
        return status;
    });
}
void crk_directory_lock_free(crk_directory_lock *held) {
    crk::BeforeEnd scope;
    if (scope.is_too_late) { return; }
    held->env->UnlockFile(held->lock).PermitUncheckedError();
    delete held;
}

crk_status crk_db_open(const char *path, const crk_db_options *options, const crk_open_settings *settings, size_t count,
    const char *const *names, crk_cf_options *const *family_options, crk_db **out, crk_column_family **families) {
    return crk::guarded([&] {
        crk::BeforeEnd scope;
        if (scope.is_too_late) { return crk::ending_status(); }
        const crk_open_mode mode = settings->mode;
        static std::atomic<uint64_t> next_id{1};
        auto db = std::make_unique<crk_db>();
        db->id = next_id++;
        db->read_only = mode == CRK_READ_ONLY || mode == CRK_SECONDARY;
        db->secondary = mode == CRK_SECONDARY;
        db->environment = options->environment;
        std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
        for (size_t i = 0; i < count; ++i) {
            descriptors.emplace_back(names[i], family_options[i]->object);
            if (family_options[i]->comparator) { db->comparators.push_back(family_options[i]->comparator); }
        }
        std::vector<rocksdb::ColumnFamilyHandle *> handles;
        rocksdb::DBOptions with_log = options->object;
        if (settings->backup_engine != nullptr) {
            rocksdb::BackupInfo backup;
            rocksdb::Status found = settings->backup_engine->find(settings->backup_id, backup);
            if (!found.ok()) { return found; }
            db->env = backup.env_for_open;
            with_log.env = db->env.get();
        }
        if (mode == CRK_SECONDARY) {
            // The primary's files may come to hold deletions of ranges at any time.
            if (with_log.row_cache != nullptr) { return rocksdb::Status::NotSupported("a secondary instance cannot have a row cache"); }
            rocksdb::Status made = with_log.env->CreateDirIfMissing(settings->secondary_path);
            if (!made.ok()) { return made; }
        }
        if (!db->read_only) {
            rocksdb::Status unlocked = check_lock(*with_log.env, std::string(path) + "/LOCK");
            if (!unlocked.ok()) { return unlocked; }
        }
        with_log.info_log = crk::make_info_log(
            mode == CRK_SECONDARY ? settings->secondary_path : path, *options, mode != CRK_READ_ONLY);
        with_log.allow_2pc = with_log.allow_2pc || may_hold_prepared(path, with_log);
        rocksdb::Status status = crk::check_footers(with_log, path, descriptors);
        if (!status.ok()) { return status; }
        auto trimmed = [&](auto *opened) -> decltype(rocksdb::DB::OpenAndTrimHistory(with_log, path, descriptors, &handles, opened, "")) {
            return rocksdb::DB::OpenAndTrimHistory(with_log, path, descriptors, &handles, opened, crk::encode_time(settings->trim_to));
        };
        auto read_write = [&](auto *opened) -> decltype(rocksdb::DB::Open(with_log, path, descriptors, &handles, opened)) {
            return rocksdb::DB::Open(with_log, path, descriptors, &handles, opened);
        };
        auto read_only = [&](auto *opened) -> decltype(rocksdb::DB::OpenForReadOnly(with_log, path, descriptors, &handles, opened)) {
            return rocksdb::DB::OpenForReadOnly(with_log, path, descriptors, &handles, opened);
        };
        auto secondary = [&](auto *opened)
            -> decltype(rocksdb::DB::OpenAsSecondary(with_log, path, settings->secondary_path, descriptors, &handles, opened)) {
            return rocksdb::DB::OpenAsSecondary(with_log, path, settings->secondary_path, descriptors, &handles, opened);
        };
        std::unique_ptr<rocksdb::DB> opened;
        switch (mode) {
        case CRK_READ_WRITE: status = open_to(read_write, opened, 0); break;
        case CRK_READ_ONLY: status = open_to(read_only, opened, 0); break;
        case CRK_SECONDARY:
            with_log.max_open_files = -1;  // files may be deleted under it
            status = crk::explain_secondary(open_to(secondary, opened, 0));
            break;
        case CRK_TRIM_HISTORY: status = open_to(trimmed, opened, 0); break;
        case CRK_TRANSACTIONS: status = open_for_transactions(*settings, with_log, path, descriptors, &handles, *db, opened); break;
        case CRK_OPTIMISTIC_TRANSACTIONS: status = open_for_optimistic(*settings, with_log, path, descriptors, &handles, *db, opened); break;
        }
        if (!status.ok()) { return status; }
        for (size_t i = 0; i < count && status.ok(); ++i) {
            status = check_files(
                *opened, handles[i], family_options[i]->object.merge_operator != nullptr, options->object.row_cache != nullptr);
        }
        if (!status.ok()) {
            for (auto *handle : handles) { opened->DestroyColumnFamilyHandle(handle).PermitUncheckedError(); }
            return status;
        }
        db->db = opened.release();
        std::vector<std::unique_ptr<crk_column_family>> wrapped;
        for (size_t i = 0; i < count; ++i) { wrapped.push_back(wrap(db.get(), handles[i])); }
        for (size_t i = 0; i < count && status.ok(); ++i) {
            if (!wrapped[i]->traits.has_history) { continue; }
            status = db->pessimistic == nullptr && db->optimistic == nullptr ? crk::find_history(wrapped[i].get()) : no_history();
        }
        if (!status.ok()) {
            tear_down(db.get()).PermitUncheckedError();
            return status;
        }
        for (size_t i = 0; i < count; ++i) { families[i] = wrapped[i].release(); }
        if (db->pessimistic != nullptr) { crk::adopt_prepared(db.get()); }
        if (!db->read_only) { crk::BeforeEnd::add(db.get()); }
        *out = db.release();
        return status;
    });
}

crk_status crk_db_close(crk_db *db) {
    if (crk::callback_depth > 0) {
        return crk::make_status(CRK_IN_USE, crk::kInCallback);
    }
    return crk::guarded([&]() -> crk_status {
        rocksdb::Status status;
        const std::string open = db->gate.close([&] {
            crk::BeforeEnd scope;
            status = scope.is_too_late ? crk::ending_status() : tear_down(db);
        });
        return open.empty() ? crk::convert(status) : crk::make_status(CRK_IN_USE, open);
    });
}
bool crk_db_is_closed(const crk_db *db) { return db->gate.is_closed(); }
void crk_db_free(crk_db *db) {
    const auto let_go = [db] {
        crk::BeforeEnd scope;
        if (!scope.is_too_late) { delete db; }
    };
    if (crk::callback_depth == 0) {
        crk::release(let_go);
    } else {
        // On a thread of RocksDB's, perhaps, which closing would wait for.
        std::thread(let_go).detach();
    }
}

crk_status crk_create_column_family(crk_db *db, const char *name, const crk_cf_options *options, crk_column_family **out) {
    return crk::in_database(db, [&] {
        // RocksDB would write a new manifest, under the eyes of the process that has it open.
        if (db->read_only) { return crk::read_only_status(); }
        if ((db->pessimistic != nullptr || db->optimistic != nullptr) && crk::is_history_comparator(options->object.comparator)) { return no_history(); }
        {
            // First of all, so that the comparator is kept even if what follows fails half-way.
            std::lock_guard<std::mutex> lock(db->registry);
            if (options->comparator) { db->comparators.push_back(options->comparator); }
        }
        rocksdb::ColumnFamilyHandle *handle = nullptr;
        rocksdb::Status status = db->db->CreateColumnFamily(options->object, name, &handle);
        if (!status.ok()) { return status; }
        auto family = wrap(db, handle);
        if (family->traits.has_history) { status = crk::find_history(family.get()); }
        // It is there all the same; what is wrong will be found again when the database is opened.
        *out = family.release();
        return rocksdb::Status::OK();
    });
}

crk_status crk_drop_column_family(crk_column_family *family) {
    return crk::in_any_family(family, [&](auto &) {
        if (family->db->read_only) { return crk::convert(crk::read_only_status()); }
        std::unique_lock<std::shared_mutex> no_batches(family->db->batches_and_drops);
        std::lock_guard<std::mutex> no_transactions(family->uses->lock);
        if (family->uses->count > 0) {
            return crk::make_status(CRK_IN_USE, "a transaction has written to the column family or locked keys in it; end it first");
        }
        rocksdb::Status status = family->db->db->DropColumnFamily(family->handle);
        if (!status.ok()) { return crk::convert(status); }
        family->dropped = true;
        family->db->checks_all_batches = true;
        std::lock_guard<std::mutex> lock(family->db->registry);
        change_known(family->db, [&](crk::KnownFamilies &known) { known.erase(family->id); });
        return crk::convert(status);
    });
}

void crk_column_family_release(crk_column_family *family) {
    crk::release([&] {
        crk::DatabaseCall call(family->db);  // keeps a concurrent close out; closed already is fine
        // Closing came too late, as the process ends: what is open stays so, for good.
        if (!call && family->handle != nullptr) { return; }
        {
            std::lock_guard<std::mutex> lock(family->db->registry);
            family->db->families.erase(family);
        }
        if (family->handle != nullptr) { family->db->db->DestroyColumnFamilyHandle(family->handle).PermitUncheckedError(); }
        delete family;
    });
}
uint32_t crk_column_family_id(const crk_column_family *family) { return family->id; }

crk_status crk_flush(crk_column_family *family, bool wait) {
    return crk::in_any_family(family, [&](auto &) {
        crk::refuse_paused(family->db);
        rocksdb::FlushOptions options;
        options.wait = wait;
        return family->db->db->Flush(options, family->handle);
    });
}
crk_status crk_verify_checksums(crk_db *db) {
    return crk::in_database(db, [&] { return db->db->VerifyChecksum(rocksdb::ReadOptions()); });
}
