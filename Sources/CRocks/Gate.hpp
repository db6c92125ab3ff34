// Who is inside a database: calls in flight, values lent, cursors and snapshots open. Closing waits for the first and is refused by the rest.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>

namespace crk {

// True on a thread that runs a user's callback (comparator, merge operator) for RocksDB: closing there would wait for itself.
extern thread_local int callback_depth;

struct CallbackScope {
    CallbackScope() { ++callback_depth; }
    ~CallbackScope() { --callback_depth; }
};

// Entering costs one uncontended atomic addition: threads are spread over padded shards, and only closing looks at all of them.
//
// Why nothing slips through: `enter` adds to its shard and then reads `state_`; `close` writes `state_` and then reads the shards.
// All of it is sequentially consistent, so at least one of the two sees the other.
class Gate {
public:
    enum Child { kCursor, kSnapshot, kChildKinds };

    // False: closed. Waits while a close is being decided.
    bool enter() noexcept {
        for (;;) {
            auto &count = shard();
            count.fetch_add(kCall);
            switch (state_.load()) {
            case kOpen: return true;
            case kClosed: subtract(count, kCall); return false;
            case kClosing: break;
            }
            subtract(count, kCall);
            std::unique_lock<std::mutex> lock(mutex_);
            changed_.wait(lock, [this] { return state_.load() != kClosing; });
        }
    }
    void leave() noexcept { subtract(shard(), kCall); }

    // The call that returns a pinned value ends, the lending begins; both on the calling thread.
    void call_becomes_lend() noexcept { subtract(shard(), kCall - kLend); }
    void end_lend() noexcept { shard().fetch_sub(kLend); }

    void add_child(Child kind) noexcept { children_[kind].fetch_add(1); }
    void remove_child(Child kind) noexcept { children_[kind].fetch_sub(1); }

    bool is_closed() const noexcept { return state_.load() == kClosed; }

    // Waits for calls in flight, then runs `teardown` if nothing is open. Returns what is open, or nothing when closed (also before).
    template <class Teardown> std::string close(Teardown &&teardown) {
        std::lock_guard<std::mutex> one_closer(closing_);
        if (is_closed()) { return {}; }
        {
            std::unique_lock<std::mutex> lock(mutex_);
            state_.store(kClosing);
            changed_.wait(lock, [this] { return (total() & kCallMask) == 0; });
        }
        std::string open = describe_open();
        if (open.empty()) { teardown(); }
        std::lock_guard<std::mutex> lock(mutex_);
        state_.store(open.empty() ? kClosed : kOpen);
        changed_.notify_all();
        return open;
    }

private:
    enum State : int { kOpen, kClosing, kClosed };
    static constexpr int64_t kCall = 1, kLend = int64_t(1) << 32, kCallMask = kLend - 1;
    static constexpr size_t kShards = 16;
    struct alignas(64) Shard { std::atomic<int64_t> count{0}; };

    std::atomic<int64_t> &shard() noexcept;

    void subtract(std::atomic<int64_t> &count, int64_t amount) noexcept {
        count.fetch_sub(amount);
        if (state_.load() == kClosing) {
            std::lock_guard<std::mutex> lock(mutex_);
            changed_.notify_all();
        }
    }
    int64_t total() const noexcept {
        int64_t sum = 0;
        for (auto &shard : shards_) { sum += shard.count.load(); }
        return sum;
    }
    std::string describe_open() const;

    std::array<Shard, kShards> shards_;
    std::array<std::atomic<int64_t>, kChildKinds> children_{};
    std::atomic<int> state_{kOpen};
    std::mutex mutex_, closing_;
    std::condition_variable changed_;
};

}  // namespace crk
