// What opening a backup in place needs to know of the engine.
#pragma once

#include "Internal.hpp"

#include <atomic>

#include <rocksdb/rate_limiter.h>
#include <rocksdb/utilities/backup_engine.h>

namespace crk {

// Restoring asks it before each write, and reports its progress in no other way.
class RestoreMeter final : public rocksdb::RateLimiter {
public:
    explicit RestoreMeter(uint64_t bytes_per_second)
        : rocksdb::RateLimiter(Mode::kAllIo),
          limiter_(bytes_per_second == 0 ? nullptr
              : rocksdb::NewGenericRateLimiter(static_cast<int64_t>(bytes_per_second), 100'000, 10, Mode::kAllIo)) {}

    // For the restore that holds `restoring`; RocksDB's threads read them.
    std::mutex restoring;
    std::atomic<void *> context{nullptr};
    std::atomic<void (*)(void *context, uint64_t bytes)> progress{nullptr};

    using rocksdb::RateLimiter::Request;
    void Request(int64_t bytes, rocksdb::Env::IOPriority priority, rocksdb::Statistics *statistics, OpType type) override {
        if (limiter_ != nullptr) { limiter_->Request(bytes, priority, statistics, type); }
        if (type != OpType::kWrite) { return; }
        if (auto tell = progress.load()) {
            CallbackScope scope;
            tell(context.load(), static_cast<uint64_t>(bytes));
        }
    }
    void SetBytesPerSecond(int64_t bytes) override { if (limiter_ != nullptr) { limiter_->SetBytesPerSecond(bytes); } }
    // How much is copied at a time: without a limit, as RocksDB does without a limiter.
    int64_t GetSingleBurstBytes() const override { return limiter_ == nullptr ? 5 << 20 : limiter_->GetSingleBurstBytes(); }
    int64_t GetTotalBytesThrough(rocksdb::Env::IOPriority priority) const override {
        return limiter_ == nullptr ? 0 : limiter_->GetTotalBytesThrough(priority);
    }
    int64_t GetTotalRequests(rocksdb::Env::IOPriority priority) const override {
        return limiter_ == nullptr ? 0 : limiter_->GetTotalRequests(priority);
    }
    int64_t GetBytesPerSecond() const override { return limiter_ == nullptr ? INT64_MAX : limiter_->GetBytesPerSecond(); }

private:
    std::unique_ptr<rocksdb::RateLimiter> limiter_;
};

}  // namespace crk

struct crk_backup_engine {
    rocksdb::BackupEngineOptions options;
    bool read_only = false;
    std::shared_ptr<crk::RestoreMeter> meter;
    std::shared_mutex lock;  // exclusive for what changes backups
    std::unique_ptr<rocksdb::BackupEngineReadOnlyBase> readable;  // null only if it could not be opened again
    rocksdb::BackupEngine *writable = nullptr;                    // the same object

    explicit crk_backup_engine(const char *path) : options(path) {}
    // With `lock` held, or before anyone else has it.
    rocksdb::Status open();
    // With the environment to open the backup in.
    rocksdb::Status find(uint32_t id, rocksdb::BackupInfo &info);
};
