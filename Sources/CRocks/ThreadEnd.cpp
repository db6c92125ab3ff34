#include "ThreadEnd.hpp"

#include <thread>

#include "Internal.hpp"

namespace {

// Destroyed with what C++ keeps for the thread, before the destructors of pthread keys run.
struct Watch {
    bool is_there = true;
    ~Watch() { crk::thread_life = crk::ThreadLife::kEnded; }
};
thread_local Watch thread_watch;

}  // namespace

bool crk::watch_thread() noexcept {
    if (thread_life == ThreadLife::kEnded) { return false; }
    if (thread_life == ThreadLife::kExiting) { return true; }
    if (thread_watch.is_there) { thread_life = ThreadLife::kWatched; }
    return true;
}

crk_status crk::on_another_thread(const std::function<crk_status()> &body) noexcept {
    try {
        crk_status status{};
        std::thread([&] { status = body(); }).join();
        return status;
    } catch (...) {
        return exception_status();
    }
}
