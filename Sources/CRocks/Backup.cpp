// Backups: rocksdb::BackupEngine, with cancellation that does not end the engine and with comparators of the user's own.
#include "Backup.hpp"

#include <rocksdb/utilities/object_registry.h>

#include <climits>
#include <filesystem>
#include <set>

namespace {

// To name a file in the backup, RocksDB opens it with the comparator that it names, looked up in the registry, and ends the process if there is
// none. During a backup, on the thread that makes it, the registry finds the comparators of the database.
using Comparators = std::vector<std::shared_ptr<const rocksdb::Comparator>>;
thread_local const Comparators *offered = nullptr;

void make_findable(const Comparators &comparators) {
    static std::mutex mutex;
    static std::set<std::string> known;
    std::lock_guard<std::mutex> lock(mutex);
    static const auto library = rocksdb::ObjectRegistry::Default()->AddLibrary("cairn-comparators");
    for (const auto &comparator : comparators) {
        if (!known.insert(comparator->Name()).second) { continue; }
        library->AddFactory<const rocksdb::Comparator>(comparator->Name(),
            [](const std::string &name, std::unique_ptr<const rocksdb::Comparator> *, std::string *) -> const rocksdb::Comparator * {
                if (offered == nullptr) { return nullptr; }
                for (const auto &candidate : *offered) {
                    if (name == candidate->Name()) { return candidate.get(); }
                }
                return nullptr;
            });
    }
}

bool is_built_in(const rocksdb::Comparator *comparator) {
    return comparator == rocksdb::BytewiseComparator() || comparator == rocksdb::ReverseBytewiseComparator();
}

struct Offer {
    Comparators comparators;
    explicit Offer(crk_db *db) {
        {
            std::lock_guard<std::mutex> lock(db->registry);
            for (const auto &comparator : db->comparators) {
                if (!is_built_in(comparator.get())) { comparators.push_back(comparator); }
            }
        }
        make_findable(comparators);
        offered = &comparators;
    }
    ~Offer() { offered = nullptr; }
};

// Meanwhile cancelling calls `hook`, once at most.
struct Cancellable {
    crk_cancellation *cancellation;
    bool was_cancelled = false;
    Cancellable(crk_cancellation *cancellation, std::function<void()> hook) : cancellation(cancellation) {
        if (cancellation == nullptr) { return; }
        std::lock_guard<std::mutex> lock(cancellation->mutex);
        was_cancelled = cancellation->cancelled;
        cancellation->hook = std::move(hook);
    }
    ~Cancellable() {
        if (cancellation == nullptr) { return; }
        std::lock_guard<std::mutex> lock(cancellation->mutex);
        cancellation->hook = nullptr;
    }
};

rocksdb::Status read_only_status() { return rocksdb::Status::NotSupported(crk::kReadOnlyBackups); }

}  // namespace

rocksdb::Status crk_backup_engine::open() {
    readable.reset();
    writable = nullptr;
    if (read_only) {
        rocksdb::BackupEngineReadOnly *made = nullptr;
        rocksdb::Status status = rocksdb::BackupEngineReadOnly::Open(options, rocksdb::Env::Default(), &made);
        readable.reset(made);
        return status;
    }
    rocksdb::BackupEngine *made = nullptr;
    rocksdb::Status status = rocksdb::BackupEngine::Open(options, rocksdb::Env::Default(), &made);
    readable.reset(static_cast<rocksdb::BackupEngineReadOnlyBase *>(made));
    writable = made;
    options.destroy_old_data = false;  // once is enough
    return status;
}

namespace {

// A closure for progress may run on a thread that the engine waits for.
template <class Body> crk_status reading(crk_backup_engine *engine, Body &&body) {
    if (crk::callback_depth > 0) { return crk::make_status(CRK_REFUSED, crk::kInCallback); }
    return crk::guarded([&]() -> rocksdb::Status {
        std::shared_lock<std::shared_mutex> lock(engine->lock);
        if (engine->readable == nullptr) { return rocksdb::Status::IOError("the directory of the backups could not be opened again"); }
        return body(*engine->readable);
    });
}

template <class Body> crk_status changing(crk_backup_engine *engine, Body &&body) {
    if (crk::callback_depth > 0) { return crk::make_status(CRK_REFUSED, crk::kInCallback); }
    return crk::guarded([&]() -> rocksdb::Status {
        std::unique_lock<std::shared_mutex> lock(engine->lock);
        if (engine->read_only) { return read_only_status(); }
        if (engine->readable == nullptr) {
            rocksdb::Status status = engine->open();
            if (!status.ok()) { return status; }
        }
        return body(*engine->writable);
    });
}

}  // namespace

crk_status crk_backup_engine_open(const char *path, const crk_backup_settings *settings, crk_backup_engine **out) {
    return crk::guarded([&] {
        // A backup can be opened in place only by an absolute path.
        std::error_code failure;
        const std::string absolute = std::filesystem::absolute(path, failure).string();
        // Not RocksDB's GetAbsolutePath: of a relative path, it returns the working directory.
        if (failure) { return rocksdb::Status::IOError(path, failure.message()); }
        auto engine = std::make_unique<crk_backup_engine>(absolute.c_str());
        auto &options = engine->options;
        engine->read_only = settings->read_only;
        options.share_table_files = settings->share_files;
        options.share_files_with_checksum = settings->share_files;
        options.sync = settings->sync;
        options.destroy_old_data = settings->destroy_old_data && !settings->read_only;
        options.backup_log_files = settings->include_logs;
        options.backup_rate_limit = settings->backup_rate_limit;
        engine->meter = std::make_shared<crk::RestoreMeter>(settings->restore_rate_limit);
        options.restore_rate_limiter = engine->meter;
        options.callback_trigger_interval_size = std::max<uint64_t>(settings->progress_interval, 1);
        options.max_background_operations = std::max(settings->threads, 1);
        options.max_valid_backups_to_open = settings->read_only ? settings->max_backups_to_open : INT_MAX;
        if (settings->legacy_names) {
            options.share_files_with_checksum_naming = rocksdb::BackupEngineOptions::kLegacyCrc32cAndFileSize;
        }
        rocksdb::Status status = engine->open();
        if (status.ok()) { *out = engine.release(); }
        return status;
    });
}
void crk_backup_engine_free(crk_backup_engine *engine) { delete engine; }

crk_status crk_backup_create(crk_backup_engine *engine, crk_db *db, bool flush, bool low_priority, crk_bytes metadata, void *context,
    void (*progress)(void *), crk_cancellation *cancellation, uint32_t *id) {
    return changing(engine, [&](rocksdb::BackupEngine &writable) -> rocksdb::Status {
        crk::DatabaseCall call(db);
        if (!call) { throw crk::Failed{crk::closed_status("database")}; }
        crk::refuse_paused(db);
        // The engine would copy ciphertext, cut off at lengths of plain text.
        if (db->environment != nullptr) { return crk::environment_status("a backup"); }
        std::atomic<bool> stopped{false};
        rocksdb::Status status;
        {
            Offer offer(db);
            Cancellable cancellable(cancellation, [&] {
                stopped = true;
                writable.StopBackup();
            });
            if (cancellable.was_cancelled) { return rocksdb::Status::Incomplete("the backup was cancelled"); }
            rocksdb::CreateBackupOptions options;
            options.flush_before_backup = flush && !db->read_only;
            options.decrease_background_thread_cpu_priority = low_priority;
            if (low_priority) { options.background_thread_cpu_priority = rocksdb::CpuPriority::kLow; }
            options.progress_callback = [&] {
                crk::CallbackScope scope;
                progress(context);
            };
            status = writable.CreateNewBackupWithMetadata(options, db->db, crk::slice(metadata).ToString(), id);
        }
        if (stopped) {
            // An engine that was stopped once makes no backup ever again.
            rocksdb::Status reopened = engine->open();
            if (status.ok() && !reopened.ok()) { return reopened; }
        }
        return status;
    });
}

crk_status crk_backup_list(crk_backup_engine *engine, bool with_files, void *context, void (*each)(void *, const crk_backup_info *)) {
    return reading(engine, [&](auto &readable) {
        std::vector<rocksdb::BackupInfo> all;
        readable.GetBackupInfo(&all, with_files);
        for (const auto &info : all) {
            std::vector<crk_backup_file> files;
            for (const auto &file : info.file_details) {
                files.push_back({crk::lend(file.relative_filename), crk::lend(file.directory), file.size});
            }
            const auto count = with_files ? static_cast<uint32_t>(files.size()) : info.number_files;
            const crk_backup_info lent{info.backup_id, info.timestamp, info.size, count, crk::lend(info.app_metadata),
                with_files ? files.data() : nullptr};
            each(context, &lent);
        }
        return rocksdb::Status::OK();
    });
}
crk_status crk_backup_list_corrupted(crk_backup_engine *engine, void *context, void (*each)(void *, uint32_t)) {
    return reading(engine, [&](auto &readable) {
        std::vector<rocksdb::BackupID> ids;
        readable.GetCorruptedBackups(&ids);
        for (auto id : ids) { each(context, id); }
        return rocksdb::Status::OK();
    });
}
crk_status crk_backup_verify(crk_backup_engine *engine, uint32_t id, bool checksums) {
    return reading(engine, [&](auto &readable) { return readable.VerifyBackup(id, checksums); });
}

crk_status crk_backup_restore(crk_backup_engine *engine, uint32_t id, const char *path, const char *wal_path, bool keep_logs,
    void *context, void (*progress)(void *context, uint64_t bytes)) {
    return reading(engine, [&](auto &readable) -> rocksdb::Status {
        // One after the other, so that each has its own progress.
        std::lock_guard<std::mutex> one(engine->meter->restoring);
        // RocksDB would delete the files of an open database under its eyes.
        rocksdb::Env *env = rocksdb::Env::Default();
        rocksdb::FileLock *lock = nullptr;
        const std::string lock_path = std::string(path) + "/LOCK";
        if (env->FileExists(lock_path).ok()) {
            rocksdb::Status status = env->LockFile(lock_path, &lock);
            if (!status.ok()) { return status; }
        }
        // RocksDB deletes the old files in any order, and writes CURRENT last. Without it, what a killed process leaves is not opened: otherwise
        // that could be the old database without its log.
        rocksdb::BackupInfo info;
        rocksdb::Status gone = id == 0 ? rocksdb::Status(readable.GetLatestBackupInfo(&info)) : rocksdb::Status(readable.GetBackupInfo(id, &info));
        const std::string current = std::string(path) + "/CURRENT";
        if (gone.ok() && env->FileExists(current).ok()) {
            gone = env->DeleteFile(current);
            std::unique_ptr<rocksdb::Directory> directory;
            if (gone.ok()) { gone = env->NewDirectory(path, &directory); }
            if (gone.ok()) { gone = directory->Fsync(); }
        }
        if (!gone.ok()) {
            if (lock != nullptr) { env->UnlockFile(lock).PermitUncheckedError(); }
            return gone;
        }
        struct Reporting {
            crk::RestoreMeter &meter;
            ~Reporting() { meter.progress = nullptr; }
        } reporting{*engine->meter};
        reporting.meter.context = context;
        reporting.meter.progress = progress;
        const rocksdb::RestoreOptions options(keep_logs);
        rocksdb::Status status = id == 0 ? rocksdb::Status(readable.RestoreDBFromLatestBackup(options, path, wal_path))
                                         : rocksdb::Status(readable.RestoreDBFromBackup(options, id, path, wal_path));
        if (lock != nullptr) { env->UnlockFile(lock).PermitUncheckedError(); }
        // RocksDB 7.8 does not say which file is damaged; verifying does.
        if (status.IsCorruption() && status.ToString().find("While restoring  -> ") != std::string::npos) {
            rocksdb::Status found = readable.VerifyBackup(info.backup_id, true);
            if (!found.ok()) { return found; }
        }
        return status;
    });
}

crk_status crk_backup_delete(crk_backup_engine *engine, uint32_t id) {
    return changing(engine, [&](auto &writable) { return writable.DeleteBackup(id); });
}
crk_status crk_backup_purge(crk_backup_engine *engine, uint32_t keep) {
    return changing(engine, [&](auto &writable) { return writable.PurgeOldBackups(keep); });
}
crk_status crk_backup_collect_garbage(crk_backup_engine *engine) {
    return changing(engine, [&](auto &writable) { return writable.GarbageCollect(); });
}

rocksdb::Status crk_backup_engine::find(uint32_t id, rocksdb::BackupInfo &info) {
    std::shared_lock<std::shared_mutex> hold(lock);
    if (readable == nullptr) { return rocksdb::Status::IOError("the directory of the backups could not be opened again"); }
    return id == 0 ? readable->GetLatestBackupInfo(&info, true) : readable->GetBackupInfo(id, &info, true);
}

crk_status crk_backup_directory(crk_backup_engine *engine, uint32_t id, void *context, crk_sink found) {
    return crk::guarded([&] {
        rocksdb::BackupInfo info;
        rocksdb::Status status = engine->find(id, info);
        if (status.ok()) { found(context, crk::lend(info.name_for_open)); }
        return status;
    });
}
