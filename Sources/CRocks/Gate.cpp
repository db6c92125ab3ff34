#include "Gate.hpp"

namespace crk {

thread_local int callback_depth = 0;

std::atomic<int64_t> &Gate::shard() noexcept {
    static std::atomic<size_t> threads{0};
    thread_local size_t slot = 0;
    if (slot == 0) { slot = 1 + threads.fetch_add(1, std::memory_order_relaxed) % kShards; }
    return shards_[slot - 1].count;
}

std::string Gate::describe_open() const {
    const int64_t counts[] = {children_[kCursor].load(), children_[kSnapshot].load(), total() >> 32};
    const char *const names[] = {"cursor", "snapshot", "lent value"};
    std::string text;
    for (size_t i = 0; i < 3; ++i) {
        if (counts[i] <= 0) { continue; }
        if (!text.empty()) { text += ", "; }
        text += std::to_string(counts[i]) + " " + names[i] + (counts[i] == 1 ? "" : "s");
    }
    return text;
}

}  // namespace crk
