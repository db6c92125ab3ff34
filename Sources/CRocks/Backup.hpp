// What opening a backup in place needs to know of the engine.
#pragma once

#include "Internal.hpp"

#include <rocksdb/utilities/backup_engine.h>

struct crk_backup_engine {
    rocksdb::BackupEngineOptions options;
    bool read_only = false;
    std::shared_mutex lock;  // exclusive for what changes backups
    std::unique_ptr<rocksdb::BackupEngineReadOnlyBase> readable;  // null only if it could not be opened again
    rocksdb::BackupEngine *writable = nullptr;                    // the same object

    explicit crk_backup_engine(const char *path) : options(path) {}
    // With `lock` held, or before anyone else has it.
    rocksdb::Status open();
    // With the environment to open the backup in.
    rocksdb::Status find(uint32_t id, rocksdb::BackupInfo &info);
};
