// What databases share to stay within limits.
#include "Internal.hpp"

#include <rocksdb/concurrent_task_limiter.h>
#include <rocksdb/rate_limiter.h>
#include <rocksdb/sst_file_manager.h>
#include <rocksdb/utilities/table_properties_collectors.h>
#include <rocksdb/write_buffer_manager.h>

#include <algorithm>

namespace {

constexpr int64_t kSmallestRefill = 1024;

// RocksDB's limiter asserts that no request is larger than a refill, which it was when the caller looked and need not be any more once
// someone, or the limiter itself, has lowered the rate. So the rate of the limiter inside never changes: a new rate is a new limiter.
// What is asked for is handed on in parts that fit.
class SteadyLimiter final : public rocksdb::RateLimiter {
public:
    SteadyLimiter(int64_t rate, int64_t refill_micros, int32_t fairness, Mode mode, bool auto_tuned)
        : RateLimiter(mode), refill_micros_(refill_micros), fairness_(fairness), mode_(mode), auto_tuned_(auto_tuned) {
        inner_ = make(rate);
    }

    // What fits into a refill at the lowest rate that the limiter will go down to.
    static int64_t smallest_refill(int64_t rate, int64_t refill_micros, bool auto_tuned) {
        const int64_t lowest = auto_tuned ? rate / 20 : rate;
        const __int128 bytes = static_cast<__int128>(lowest) * refill_micros / 1000000;
        return static_cast<int64_t>(std::min<__int128>(bytes, int64_t(1) << 40));
    }
    bool takes(int64_t rate) const { return rate > 0 && smallest_refill(rate, refill_micros_, auto_tuned_) >= kSmallestRefill; }

    void SetBytesPerSecond(int64_t rate) override {
        if (!takes(rate)) { return; }
        auto next = make(rate);
        std::lock_guard<std::mutex> lock(mutex_);
        past_bytes_ += inner_->limiter->GetTotalBytesThrough();
        past_requests_ += inner_->limiter->GetTotalRequests();
        inner_ = std::move(next);
    }
    using RateLimiter::Request;
    void Request(const int64_t bytes, const rocksdb::Env::IOPriority priority, rocksdb::Statistics *statistics) override {
        const auto inner = current();
        for (int64_t left = bytes; left > 0; left -= inner->part) {
            inner->limiter->Request(std::min(left, inner->part), priority, statistics);
        }
    }
    int64_t GetSingleBurstBytes() const override { return current()->part; }
    int64_t GetTotalBytesThrough(const rocksdb::Env::IOPriority priority = rocksdb::Env::IO_TOTAL) const override {
        return past_bytes_ + current()->limiter->GetTotalBytesThrough(priority);
    }
    int64_t GetTotalRequests(const rocksdb::Env::IOPriority priority = rocksdb::Env::IO_TOTAL) const override {
        return past_requests_ + current()->limiter->GetTotalRequests(priority);
    }
    int64_t GetBytesPerSecond() const override { return current()->limiter->GetBytesPerSecond(); }

private:
    struct Inner {
        std::unique_ptr<rocksdb::RateLimiter> limiter;
        int64_t part;
    };
    std::shared_ptr<const Inner> make(int64_t rate) const {
        return std::make_shared<const Inner>(Inner{
            std::unique_ptr<rocksdb::RateLimiter>(rocksdb::NewGenericRateLimiter(rate, refill_micros_, fairness_, mode_, auto_tuned_)),
            smallest_refill(rate, refill_micros_, auto_tuned_)});
    }
    std::shared_ptr<const Inner> current() const {
        std::lock_guard<std::mutex> lock(mutex_);
        return inner_;
    }

    const int64_t refill_micros_;
    const int32_t fairness_;
    const Mode mode_;
    const bool auto_tuned_;
    mutable std::mutex mutex_;
    std::shared_ptr<const Inner> inner_;
    std::atomic<int64_t> past_bytes_{0}, past_requests_{0};
};

}  // namespace

struct crk_rate_limiter { std::shared_ptr<SteadyLimiter> object; };
struct crk_file_manager {
    std::shared_ptr<rocksdb::SstFileManager> object;
    std::shared_ptr<rocksdb::Env> environment;
};
struct crk_write_buffer_manager { std::shared_ptr<rocksdb::WriteBufferManager> object; };
struct crk_task_limiter { std::shared_ptr<rocksdb::ConcurrentTaskLimiter> object; };

crk_status crk_rate_limiter_create(int64_t rate, int64_t refill_micros, int32_t fairness, uint8_t mode, bool auto_tuned, crk_rate_limiter **out) {
    return crk::guarded([&]() -> crk_status {
        if (rate <= 0 || refill_micros <= 0 || fairness <= 0 ||
            SteadyLimiter::smallest_refill(rate, refill_micros, auto_tuned) < kSmallestRefill) {
            return crk::make_status(CRK_REFUSED, "a refill must be 1 KiB or more (at a twentieth of the rate if it is auto-tuned), and fairness 1 or more");
        }
        *out = new crk_rate_limiter{std::make_shared<SteadyLimiter>(rate, refill_micros, fairness, static_cast<rocksdb::RateLimiter::Mode>(mode),
            auto_tuned)};
        return {};
    });
}
crk_status crk_rate_limiter_set_bytes_per_second(crk_rate_limiter *limiter, int64_t rate) {
    return crk::guarded([&]() -> crk_status {
        if (!limiter->object->takes(rate)) { return crk::make_status(CRK_REFUSED, "a refill must be 1 KiB or more"); }
        limiter->object->SetBytesPerSecond(rate);
        return {};
    });
}
int64_t crk_rate_limiter_bytes_per_second(const crk_rate_limiter *limiter) { return limiter->object->GetBytesPerSecond(); }
int64_t crk_rate_limiter_total_bytes(const crk_rate_limiter *limiter) { return limiter->object->GetTotalBytesThrough(); }
int64_t crk_rate_limiter_total_requests(const crk_rate_limiter *limiter) { return limiter->object->GetTotalRequests(); }
void crk_rate_limiter_release(crk_rate_limiter *limiter) { delete limiter; }
void crk_db_options_set_rate_limiter(crk_db_options *options, crk_rate_limiter *limiter) { options->object.rate_limiter = limiter->object; }

crk_status crk_file_manager_create(crk_environment *environment, int64_t deletion_rate, double max_trash_ratio, uint64_t max_delete_chunk,
    crk_file_manager **out) {
    return crk::guarded([&]() -> crk_status {
        if (!(max_trash_ratio >= 0) || deletion_rate < 0) {
            return crk::make_status(CRK_REFUSED, "neither the deletion rate nor the trash ratio can be negative");
        }
        auto manager = std::make_unique<crk_file_manager>();
        if (environment != nullptr) { manager->environment = environment->object; }
        rocksdb::Env *env = environment == nullptr ? rocksdb::Env::Default() : environment->object.get();
        rocksdb::Status status;
        // The environment is kept by everything that keeps the manager: RocksDB's options, a database, this.
        std::unique_ptr<rocksdb::SstFileManager> made(
            rocksdb::NewSstFileManager(env, nullptr, "", deletion_rate, true, &status, max_trash_ratio, max_delete_chunk));
        if (!status.ok()) { return crk::to_status(status); }
        manager->object.reset(made.release(), [kept = manager->environment](rocksdb::SstFileManager *last) { delete last; });
        *out = manager.release();
        return {};
    });
}
void crk_file_manager_set_max_space(crk_file_manager *manager, uint64_t bytes) { manager->object->SetMaxAllowedSpaceUsage(bytes); }
void crk_file_manager_set_compaction_buffer(crk_file_manager *manager, uint64_t bytes) { manager->object->SetCompactionBufferSize(bytes); }
void crk_file_manager_set_deletion_rate(crk_file_manager *manager, int64_t rate) { manager->object->SetDeleteRateBytesPerSecond(rate); }
int64_t crk_file_manager_deletion_rate(const crk_file_manager *manager) { return manager->object->GetDeleteRateBytesPerSecond(); }
bool crk_file_manager_is_full(const crk_file_manager *manager) { return manager->object->IsMaxAllowedSpaceReached(); }
uint64_t crk_file_manager_total_size(const crk_file_manager *manager) { return manager->object->GetTotalSize(); }
uint64_t crk_file_manager_trash_size(const crk_file_manager *manager) { return manager->object->GetTotalTrashSize(); }
void crk_file_manager_files(const crk_file_manager *manager, void *context, crk_pair_sink each) {
    for (const auto &file : manager->object->GetTrackedFiles()) {
        const std::string size = std::to_string(file.second);
        each(context, crk::lend(file.first), crk::lend(size));
    }
}
void crk_file_manager_release(crk_file_manager *manager) { delete manager; }
crk_status crk_db_options_set_file_manager(crk_db_options *options, crk_file_manager *manager) {
    if (manager->environment != options->environment) {
        return crk::make_status(CRK_REFUSED, "the file manager was made for a different environment");
    }
    options->object.sst_file_manager = manager->object;
    return {};
}

crk_write_buffer_manager *crk_write_buffer_manager_create(size_t limit, crk_cache *cache) {
    try {
        return new crk_write_buffer_manager{
            std::make_shared<rocksdb::WriteBufferManager>(limit, cache == nullptr ? nullptr : cache->object)};
    } catch (...) {
        return nullptr;
    }
}
void crk_write_buffer_manager_set_limit(crk_write_buffer_manager *manager, size_t limit) { manager->object->SetBufferSize(limit); }
size_t crk_write_buffer_manager_limit(const crk_write_buffer_manager *manager) { return manager->object->buffer_size(); }
size_t crk_write_buffer_manager_usage(const crk_write_buffer_manager *manager) { return manager->object->memory_usage(); }
void crk_write_buffer_manager_release(crk_write_buffer_manager *manager) { delete manager; }
void crk_db_options_set_write_buffer_manager(crk_db_options *options, crk_write_buffer_manager *manager) {
    options->object.write_buffer_manager = manager->object;
}

crk_task_limiter *crk_task_limiter_create(const char *name, int32_t limit) {
    try {
        return new crk_task_limiter{std::shared_ptr<rocksdb::ConcurrentTaskLimiter>(rocksdb::NewConcurrentTaskLimiter(name, limit))};
    } catch (...) {
        return nullptr;
    }
}
void crk_task_limiter_set_limit(crk_task_limiter *limiter, int32_t limit) { limiter->object->SetMaxOutstandingTask(limit); }
int32_t crk_task_limiter_running(const crk_task_limiter *limiter) { return limiter->object->GetOutstandingTask(); }
void crk_task_limiter_release(crk_task_limiter *limiter) { delete limiter; }
void crk_cf_options_set_task_limiter(crk_cf_options *options, crk_task_limiter *limiter) {
    options->object.compaction_thread_limiter = limiter->object;
}

crk_status crk_cf_options_compact_on_deletion(crk_cf_options *options, size_t window, size_t deletions, double ratio) {
    return crk::guarded([&] {
        options->object.table_properties_collector_factories.push_back(
            rocksdb::NewCompactOnDeletionCollectorFactory(window, deletions, ratio));
        return rocksdb::Status::OK();
    });
}
