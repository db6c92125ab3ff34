// The end of a thread: what RocksDB keeps for each thread is gone before the thread's last destructors run.
//
// Those are the destructors of pthread keys. Foundation's `Thread` releases its closure in one, and with it perhaps the last reference to a database or
// to what writes to one when it is released. RocksDB would use the memory that it has freed, so another thread makes such calls.
#pragma once

#include <functional>

#include "CRocksStatus.h"

namespace crk {

// kExiting: the thread has called exit(), which destroys what C++ keeps for it, but RocksDB's own stays until the process is gone.
enum class ThreadLife : unsigned char { kUnknown, kWatched, kEnded, kExiting };
// Needs no construction, so reading it is one instruction.
inline thread_local ThreadLife thread_life = ThreadLife::kUnknown;

// Whether this thread may call RocksDB; from now on, its end is noticed.
bool watch_thread() noexcept;
inline bool thread_lives() noexcept { return thread_life == ThreadLife::kWatched || watch_thread(); }
// Whether what C++ keeps for this thread is still there.
inline bool thread_has_lists() noexcept { return thread_lives() && thread_life == ThreadLife::kWatched; }

// Runs `body` on a thread of its own, and waits for it.
crk_status on_another_thread(const std::function<crk_status()> &body) noexcept;

// Runs `body`, which gives something back to RocksDB.
template <class Body> void release(Body &&body) noexcept {
    if (thread_lives()) {
        body();
    } else {
        crk_status_free(on_another_thread([&] {
            body();
            return crk_status{};
        }));
    }
}

}  // namespace crk
