#include "Gate.hpp"

namespace crk {

size_t Gate::give_slot() noexcept {
    static std::atomic<size_t> threads{0};
    return thread_slot = 1 + threads.fetch_add(1, std::memory_order_relaxed) % kShards;
}

Gate::Counter *Gate::enter_slowly(Counter &count) noexcept {
    for (;;) {
        // Counted in, as by `enter`.
        switch (state_.load()) {
        case kOpen: return &count;
        case kClosed: subtract(count); return nullptr;
        case kClosing:
            // The thread that closes waits for the value lent to this thread, so this call must not wait for the closing.
            if (lends_here() > 0) { return &count; }
            break;
        }
        subtract(count);
        {
            std::unique_lock<std::mutex> lock(mutex_);
            changed_.wait(lock, [this] { return state_.load() != kClosing; });
        }
        count.fetch_add(1);
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
    auto add = [&text](int64_t count, const char *name) {
        if (count <= 0) { return; }
        if (!text.empty()) { text += ", "; }
        text += std::to_string(count) + " " + name + (count == 1 ? "" : "s");
    };
    add(children_[kCursor].load(), "cursor");
    add(children_[kSnapshot].load(), "snapshot");
    add(children_[kTransaction].load(), "transaction");
    add(children_[kPause].load(), "pause");
    const std::string children = text;
    const size_t lent = lends_here();
    add(static_cast<int64_t>(lent), "lent value");
    if (text.empty()) { return {}; }
    const bool is_one = children.find(',') == std::string::npos && children.compare(0, 2, "1 ") == 0;
    std::string advice;
    if (!children.empty()) { advice = is_one ? "close it first" : "close them first"; }
    if (lent > 0) {
        if (!advice.empty()) { advice += ", and "; }
        advice += lent == 1 ? "return from the closure that has the lent value" : "return from the closures that have the lent values";
    }
    return "still in use: " + text + "; " + advice;
}

}  // namespace crk
