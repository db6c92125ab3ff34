// Who is inside a database: calls in flight (the lending of a value is one), cursors and snapshots open. Closing waits for calls and is
// refused by the rest.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "ThreadEnd.hpp"

namespace crk {

// Not zero on a thread that runs a user's callback (comparator, merge operator, event handler...) for RocksDB: closing there would wait for
// itself.
inline thread_local int callback_depth = 0;

// The gates whose values are lent to this thread, once for each value. Closing one of them here would wait for itself.
class Gate;
inline thread_local std::vector<const Gate *> lent_here;

// Which shard of every gate a thread counts in, plus one; 0: not given yet. Defined here, so that reading it is one instruction.
inline thread_local size_t thread_slot = 0;

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
    enum Child { kCursor, kSnapshot, kTransaction, kPause, kChildKinds };
    using Counter = std::atomic<int64_t>;
    // What a call adds to its counter. Those that may lend a value count in the upper half.
    static constexpr int64_t kCall = 1, kLend = int64_t{1} << 32;

    // Where the call is counted, to be handed to what ends it; null: closed. Waits while a close is being decided.
    Counter *enter(int64_t weight) noexcept {
        Counter &count = shard();
        count.fetch_add(weight);
        return state_.load() == kOpen ? &count : enter_slowly(count, weight);
    }
    void leave(Counter &count, int64_t weight) noexcept {
        count.fetch_sub(weight);
        if (state_.load() == kClosing) { wake_closer(); }
    }

    // The call that returns a pinned value lasts until the value is released, on the same thread.
    void begin_lend() {
        if (thread_has_lists()) { lent_here.push_back(this); }
    }
    void end_lend(Counter &count, int64_t weight) noexcept {
        for (size_t i = thread_has_lists() ? lent_here.size() : 0; i-- > 0;) {
            if (lent_here[i] == this) {
                lent_here.erase(lent_here.begin() + static_cast<std::ptrdiff_t>(i));
                break;
            }
        }
        leave(count, weight);
    }

    // A child made within a call that lasts until the child goes, on the same thread: closing waits for it, as for a lent value. Ended by
    // `end_lend`, with the weight of a call. Under the lock, so that the thread that closes sees either the child or the call.
    Counter &child_becomes_lend(Child kind) {
        begin_lend();
        std::lock_guard<std::mutex> lock(mutex_);
        Counter &count = shard();
        count.fetch_add(kCall);
        remove_child(kind);
        return count;
    }

    void add_child(Child kind) noexcept { children_[kind].fetch_add(1); }
    void remove_child(Child kind) noexcept { children_[kind].fetch_sub(1); }
    bool has_child(Child kind) const noexcept { return children_[kind].load() > 0; }

    bool is_closed() const noexcept { return state_.load() == kClosed; }

    // Waits for calls in flight, then runs `teardown` if nothing is open. Returns what is open, or nothing when closed (also before).
    template <class Teardown> std::string close(Teardown &&teardown) {
        std::lock_guard<std::mutex> one_closer(closing_);
        if (is_closed()) { return {}; }
        // What is refused anyway shall not hold up others first.
        std::string open = describe_open();
        if (!open.empty()) { return open; }
        {
            std::unique_lock<std::mutex> lock(mutex_);
            state_.store(kClosing);
            changed_.wait(lock, [this] { return total() == 0; });
            state_.store(kEnding);
            open = describe_open();
        }
        if (open.empty()) { teardown(); }
        std::lock_guard<std::mutex> lock(mutex_);
        state_.store(open.empty() ? kClosed : kOpen);
        changed_.notify_all();
        return open;
    }

private:
    // kClosing: calls are waited for; kEnding: there are none any more, and none may get in.
    enum State : int { kOpen, kClosing, kEnding, kClosed };
    static constexpr size_t kShards = 16;
    struct alignas(64) Shard { Counter count{0}; };

    Counter &shard() noexcept { return shards_[(thread_slot == 0 ? give_slot() : thread_slot) - 1].count; }
    static size_t give_slot() noexcept;

    // What happens when the gate is not open; out of line.
    Counter *enter_slowly(Counter &count, int64_t weight) noexcept;
    void wake_closer() noexcept;
    int64_t total() const noexcept {
        int64_t sum = 0;
        for (auto &shard : shards_) { sum += shard.count.load(); }
        return sum;
    }
    size_t lends_here() const noexcept;
    std::string describe_open() const;

    std::array<Shard, kShards> shards_;
    std::array<std::atomic<int64_t>, kChildKinds> children_{};
    std::atomic<int> state_{kOpen};
    std::mutex mutex_, closing_;
    std::condition_variable changed_;
};

}  // namespace crk
