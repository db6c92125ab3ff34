// The files of a database, background work, the files of the log.
#include "Internal.hpp"

#include <rocksdb/convenience.h>
#include <rocksdb/experimental.h>
#include <rocksdb/transaction_log.h>
#include <rocksdb/version.h>

#include <algorithm>

namespace {

// For what changes files.
template <class Body> crk_status changing(crk_db *db, Body &&body) {
    return crk::in_database(db, [&]() -> rocksdb::Status {
        if (db->read_only) { return crk::read_only_status(); }
        crk::refuse_paused(db);
        return body(*db->db);
    });
}
template <class Body> crk_status changing(crk_column_family *family, Body &&body, crk::Time time = {}) {
    return crk::in_family(family, [&](auto &) -> rocksdb::Status {
        if (family->db->read_only) { return crk::read_only_status(); }
        crk::refuse_paused(family->db);
        return body(*family->db->db);
    }, time);
}
// The same where keys do not come in.
constexpr crk::Time kAnyTime{crk::Time::kAny};

// What the primary has been opened with since must fit how this secondary was opened. Over operands in a file that nothing combines, and over
// prepared transactions that are not allowed for, RocksDB ends the process.
rocksdb::Status check_primary(crk_db *db) {
    std::string text;
    rocksdb::Status status = crk::read_options_file(db->db->GetName().c_str(), db->db->GetEnv(), text);
    if (!status.ok()) { return status; }
    if (crk::allows_prepared(text) && !db->db->GetDBOptions().allow_2pc) {
        return rocksdb::Status::NotSupported("the primary has since been opened for transactions; reopen the secondary");
    }
    const std::set<std::string> merging = crk::merging_families(text);
    std::lock_guard<std::mutex> lock(db->registry);
    for (const auto *family : db->families) {
        if (!family->traits.merges && merging.count(family->handle->GetName()) > 0) {
            return rocksdb::Status::InvalidArgument(
                "the primary merges in column family '" + family->handle->GetName() + "', but no merge operator is given for it here");
        }
    }
    return status;
}

rocksdb::Status gather(crk_db *db, size_t count, crk_column_family *const *families, std::vector<rocksdb::ColumnFamilyHandle *> &handles) {
    for (size_t i = 0; i < count; ++i) {
        if (families[i]->db != db) { throw crk::Failed{crk::make_status(CRK_REFUSED, "the column families do not all belong to the same database")}; }
        if (families[i]->dropped) { throw crk::Failed{crk::make_status(CRK_COLUMN_FAMILY_DROPPED, "the column family was dropped")}; }
        handles.push_back(families[i]->handle);
    }
    return rocksdb::Status::OK();
}

}  // namespace

rocksdb::Status crk::explain_secondary(const rocksdb::Status &status) {
    if (status.ok()) { return status; }
    const std::string text = status.ToString();
    auto has = [&](const char *part) { return text.find(part) != std::string::npos; };
    if (status.IsCorruption() && (has("unknown column family") || has("non-existing column family"))) {
        return rocksdb::Status::NotSupported("the primary has since created column families; reopen the secondary");
    }
    if (status.IsNotSupported() && has("PutEntity")) {
        return rocksdb::Status::NotSupported("the log of the primary holds entities, which a secondary can read only once the primary has flushed them");
    }
    return status;
}

rocksdb::Status crk::enable_file_deletions(rocksdb::DB *db) {
#if ROCKSDB_MAJOR > 8 || (ROCKSDB_MAJOR == 8 && ROCKSDB_MINOR > 9)
    return db->EnableFileDeletions();
#else
    return db->EnableFileDeletions(false);
#endif
}

crk_status crk_storage_files(crk_db *db, uint64_t log_size_for_flush, bool checksums, void *context,
    void (*each)(void *, const crk_storage_file *)) {
    return crk::in_database(db, [&] {
        if (!db->read_only) { crk::refuse_paused(db); }
        rocksdb::LiveFilesStorageInfoOptions options;
        options.include_checksum_info = checksums;
        options.wal_size_for_flush = log_size_for_flush;
        std::vector<rocksdb::LiveFileStorageInfo> files;
        rocksdb::Status status = db->db->GetLiveFilesStorageInfo(options, &files);
        if (!status.ok()) { return status; }
        for (const auto &file : files) {
            const crk_storage_file lent{crk::lend(file.relative_filename), crk::lend(file.directory), crk::lend(file.file_checksum),
                crk::lend(file.file_checksum_func_name), crk::lend(file.replacement_contents), static_cast<uint8_t>(file.file_type),
                file.trim_to_size, file.size};
            each(context, &lent);
        }
        return status;
    });
}

crk_status crk_log_files(crk_db *db, bool only_current, void *context, void (*each)(void *, const crk_log_file *)) {
    return crk::in_database(db, [&] {
        rocksdb::VectorLogPtr files;
        rocksdb::Status status;
        if (only_current) {
            std::unique_ptr<rocksdb::LogFile> current;
            status = db->db->GetCurrentWalFile(&current);
            if (status.ok()) { files.push_back(std::move(current)); }
        } else {
            status = db->db->GetSortedWalFiles(files);
        }
        for (const auto &file : files) {
            const std::string path = file->PathName();
            const crk_log_file lent{crk::lend(path), file->LogNumber(), file->StartSequence(), file->SizeFileBytes(),
                file->Type() == rocksdb::kArchivedLogFile};
            each(context, &lent);
        }
        return status;
    });
}

crk_status crk_disable_file_deletions(crk_db *db) {
    return changing(db, [](rocksdb::DB &object) { return object.DisableFileDeletions(); });
}
crk_status crk_enable_file_deletions(crk_db *db) {
    return crk::in_database(db, [&] { return crk::enable_file_deletions(db->db); });
}
crk_status crk_pause(crk_db *db) {
    if (!crk::thread_has_lists()) { return crk::make_status(CRK_REFUSED, "a thread that is ending cannot pause background work"); }
    return crk::in_database(db, [&]() -> rocksdb::Status {
        if (db->read_only) { return crk::read_only_status(); }
        rocksdb::Status status = db->db->PauseBackgroundWork();
        if (status.ok()) {
            crk::paused_here.push_back(db);
            db->gate.add_child(crk::Gate::kPause);
        }
        return status;
    });
}
crk_status crk_continue(crk_db *db) {
    if (!crk::thread_has_lists()) { return crk::make_status(CRK_REFUSED, "a thread that is ending has paused nothing"); }
    const auto paused = std::find(crk::paused_here.begin(), crk::paused_here.end(), db);
    if (paused == crk::paused_here.end()) { return crk::make_status(CRK_REFUSED, "background work is not paused on this thread"); }
    crk::paused_here.erase(paused);
    return crk::in_database(db, [&] {
        rocksdb::Status status = db->db->ContinueBackgroundWork();
        db->gate.remove_child(crk::Gate::kPause);
        return status;
    });
}
crk_status crk_enable_auto_compaction(size_t count, crk_column_family *const *families) {
    if (count == 0) { return {}; }
    return changing(families[0]->db, [&](rocksdb::DB &object) {
        std::vector<rocksdb::ColumnFamilyHandle *> handles;
        rocksdb::Status status = gather(families[0]->db, count, families, handles);
        return status.ok() ? object.EnableAutoCompaction(handles) : status;
    });
}
crk_status crk_set_manual_compaction(crk_db *db, bool enabled) {
    if (crk::callback_depth > 0) { return crk::make_status(CRK_REFUSED, crk::kInCallback); }
    return changing(db, [&](rocksdb::DB &object) -> rocksdb::Status {
        // Its own lock: disabling waits for the compactions that run, and they may come to the registry.
        std::lock_guard<std::mutex> lock(db->disabling);
        // RocksDB asserts that it was disabled before.
        if (enabled && db->manual_compactions_disabled == 0) { return rocksdb::Status::OK(); }
        db->manual_compactions_disabled += enabled ? -1 : 1;
        enabled ? object.EnableManualCompaction() : object.DisableManualCompaction();
        return rocksdb::Status::OK();
    });
}

crk_status crk_delete_files(crk_column_family *family, size_t count, const crk_bytes *starts, const crk_bytes *ends) {
    return changing(family, [&](rocksdb::DB &object) -> rocksdb::Status {
        std::vector<rocksdb::Slice> slices(2 * count);
        std::vector<rocksdb::RangePtr> ranges;
        for (size_t i = 0; i < count; ++i) {
            slices[2 * i] = crk::slice(starts[i]);
            slices[2 * i + 1] = crk::slice(ends[i]);
            if (family->traits.comparator->Compare(slices[2 * i], slices[2 * i + 1]) > 0) {
                return rocksdb::Status::InvalidArgument("the end of a range comes before its start");
            }
            ranges.emplace_back(&slices[2 * i], &slices[2 * i + 1]);
        }
        return rocksdb::DeleteFilesInRanges(&object, family->handle, ranges.data(), ranges.size(), false);
    });
}
crk_status crk_compact_files(crk_column_family *family, size_t count, const char *const *names, int32_t level,
    crk_cancellation *cancellation, void *context, crk_sink made) {
    return changing(family, [&](rocksdb::DB &object) -> rocksdb::Status {
        if (level < 0 || level >= object.NumberLevels(family->handle)) {
            return rocksdb::Status::InvalidArgument("there is no level " + std::to_string(level));
        }
        rocksdb::CompactionOptions options;
#if ROCKSDB_MAJOR > 9 || (ROCKSDB_MAJOR == 9 && ROCKSDB_MINOR > 7)
        if (cancellation != nullptr) { options.canceled = &cancellation->cancelled; }
#else
        if (cancellation != nullptr && cancellation->cancelled) { return rocksdb::Status::Incomplete("the compaction was cancelled"); }
#endif
        std::vector<std::string> outputs;
        rocksdb::Status status = object.CompactFiles(
            options, family->handle, std::vector<std::string>(names, names + count), level, -1, &outputs);
        for (const auto &output : outputs) { made(context, crk::lend(output)); }
        return status;
    }, kAnyTime);
}
crk_status crk_suggest_compaction(crk_column_family *family, crk_bytes from, crk_bytes to, bool has_from, bool has_to) {
    return changing(family, [&](rocksdb::DB &object) {
        const rocksdb::Slice low = crk::slice(from), high = crk::slice(to);
        return rocksdb::experimental::SuggestCompactRange(&object, family->handle, has_from ? &low : nullptr, has_to ? &high : nullptr);
    });
}
crk_status crk_promote_level_zero(crk_column_family *family, int32_t level) {
    return changing(family, [&](rocksdb::DB &object) -> rocksdb::Status {
        if (level < 1 || level >= object.NumberLevels(family->handle)) {
            return rocksdb::Status::InvalidArgument("there is no level " + std::to_string(level) + " to promote files to");
        }
        return rocksdb::experimental::PromoteL0(&object, family->handle, level);
    }, kAnyTime);
}

crk_status crk_flush_families(crk_db *db, bool wait, bool allow_stall, size_t count, crk_column_family *const *families) {
    return changing(db, [&](rocksdb::DB &object) {
        rocksdb::FlushOptions options;
        options.wait = wait;
        options.allow_write_stall = allow_stall;
        std::vector<rocksdb::ColumnFamilyHandle *> handles;
        rocksdb::Status status = gather(db, count, families, handles);
        return status.ok() && count > 0 ? object.Flush(options, handles) : status;
    });
}
crk_status crk_verify_file_checksums(crk_db *db) {
    return crk::in_database(db, [&]() -> rocksdb::Status {
        if (db->db->GetDBOptions().file_checksum_gen_factory == nullptr) {
            return rocksdb::Status::InvalidArgument("the database keeps no checksums of files: open it with the option file_checksum_gen_factory");
        }
        return db->db->VerifyFileChecksums(rocksdb::ReadOptions());
    });
}
crk_status crk_memtable_estimate(crk_column_family *family, crk_bytes from, crk_bytes to, uint64_t *count, uint64_t *size) {
    return crk::in_family(family, [&](auto &) {
        *count = *size = 0;
        // Over an inverted range RocksDB would assert.
        if (family->traits.comparator->Compare(crk::slice(from), crk::slice(to)) < 0) {
            family->db->db->GetApproximateMemTableStats(family->handle, rocksdb::Range(crk::slice(from), crk::slice(to)), count, size);
        }
        return rocksdb::Status::OK();
    });
}
crk_status crk_resume(crk_db *db) {
    return changing(db, [](rocksdb::DB &object) {
        // Databases for transactions do not pass it on.
        rocksdb::Status status = object.GetRootDB()->Resume();
        return status.IsBusy() ? rocksdb::Status::Busy("the database is already recovering from an error") : status;
    });
}
crk_status crk_identity(crk_db *db, bool session, void *context, crk_sink found) {
    return crk::in_database(db, [&] {
        std::string identity;
        rocksdb::Status status = session ? db->db->GetDbSessionId(identity) : db->db->GetDbIdentity(identity);
        if (status.ok()) { found(context, crk::lend(identity)); }
        return status;
    });
}
crk_status crk_catch_up(crk_db *db) {
    return crk::in_database(db, [&]() -> rocksdb::Status {
        if (!db->secondary) { return rocksdb::Status::NotSupported("only a secondary instance has a primary to catch up with"); }
        // One at a time: RocksDB reads the manifest with one reader.
        std::lock_guard<std::mutex> lock(db->catching_up);
        rocksdb::Status status = check_primary(db);
        return status.ok() ? crk::explain_secondary(db->db->TryCatchUpWithPrimary()) : status;
    });
}
