#include "Gate.hpp"

#include <chrono>

namespace crk {

// How long a call waits for a close that waits for lent values.
constexpr std::chrono::milliseconds kPatience{50};

size_t Gate::give_slot() noexcept {
    static std::atomic<size_t> threads{0};
    return thread_slot = 1 + threads.fetch_add(1, std::memory_order_relaxed) % kShards;
}

Gate::Counter *Gate::enter_slowly(Counter &count, int64_t weight) noexcept {
    for (;;) {
        // Counted in, as by `enter`.
        switch (state_.load()) {
        case kOpen: return &count;
        case kClosed: leave(count, weight); return nullptr;
        case kClosing:
            // The thread that closes waits for the value lent to this thread, so this call must not wait for the closing.
            if (lends_here() > 0) { return &count; }
            break;
        case kEnding: break;
        }
        leave(count, weight);
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait_for(lock, kPatience, [this] { return state_.load() == kOpen || state_.load() == kClosed; });
        // The thread that a value is lent to may wait for this call. Not at once, since calls could then keep a close waiting forever. The thread that
        // closes is still waiting, and adds up again under the lock.
        const bool gets_in = state_.load() == kClosing && total() >= kLend;
        count.fetch_add(weight);
        if (gets_in) { return &count; }
    }
}

void Gate::wake_closer() noexcept {
    std::lock_guard<std::mutex> lock(mutex_);
    changed_.notify_all();
}

size_t Gate::lends_here() const noexcept {
    size_t count = 0;
    if (!thread_has_lists()) { return count; }
    for (const Gate *gate : lent_here) { count += gate == this ? 1 : 0; }
    return count;
}

std::string Gate::describe_open() const {
    std::string text;
    int64_t total = 0;
    auto add = [&](int64_t count, const char *name) {
        if (count <= 0) { return; }
        total += count;
        if (!text.empty()) { text += ", "; }
        text += std::to_string(count) + " " + name + (count == 1 ? "" : "s");
    };
    add(children_[kCursor].load(), "cursor");
    add(children_[kSnapshot].load(), "snapshot");
    add(children_[kTransaction].load(), "transaction");
    add(children_[kPause].load(), "pause");
    std::string advice;
    if (total > 0) { advice = total == 1 ? "close it first" : "close them first"; }
    const auto lent = static_cast<int64_t>(lends_here());
    add(lent, "lent value");
    if (total == 0) { return {}; }
    if (lent > 0) {
        if (!advice.empty()) { advice += ", and "; }
        advice += lent == 1 ? "return from the closure that has the lent value" : "return from the closures that have the lent values";
    }
    return "still in use: " + text + "; " + advice;
}

}  // namespace crk
