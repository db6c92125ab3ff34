// When the process ends, waits for databases that are being opened or closed, and ends the background work of those that are open.
#include "ProcessEnd.hpp"

#include <rocksdb/convenience.h>

#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

struct State {
    std::mutex mutex;
    std::condition_variable changed;
    int running = 0;
    bool is_ending = false;
    std::thread::id ending;    // the thread that called exit()
    std::set<crk_db *> open{};
    const pid_t process = getpid();
};

// Never destroyed: threads come here until the process is gone.
State &state() {
    static State &only = *new State;
    return only;
}

bool enter() {
    State &it = state();
    std::lock_guard<std::mutex> lock(it.mutex);
    // The thread that called exit() continues alone, and may close what its own objects hold.
    if (it.is_ending && it.ending != std::this_thread::get_id()) { return false; }
    ++it.running;
    return true;
}

void end(int code) {
    // Within a callback RocksDB is at work on this thread with what it is about to destroy, and a database that closes may wait for it.
    if (crk::callback_depth > 0) {
        std::fflush(nullptr);
        std::_Exit(code);
    }
    crk::thread_life = crk::ThreadLife::kExiting;
    State &it = state();
    // A child of fork() has none of the threads that would be waited for.
    if (it.process != getpid()) { return; }
    std::unique_lock<std::mutex> lock(it.mutex);
    it.is_ending = true;
    it.ending = std::this_thread::get_id();
    it.changed.wait(lock, [&] { return it.running == 0; });
    // Nobody but this thread changes them any more.
    lock.unlock();
    for (crk_db *db : it.open) {
        // What is paused would be waited for in vain.
        if (!db->gate.has_child(crk::Gate::kPause)) { rocksdb::CancelAllBackgroundWork(db->db, true); }
    }
}

// exit() goes backwards: it comes here before it comes to what RocksDB made when the first database was opened.
void watch() {
#if defined(__GLIBC__)
    on_exit([](int code, void *) { end(code); }, nullptr);
#else
    // The code is not known.
    std::atexit([] { end(EXIT_FAILURE); });
#endif
}

}  // namespace

crk::BeforeEnd::BeforeEnd() : is_too_late(!enter()) {}

crk::BeforeEnd::~BeforeEnd() {
    if (is_too_late) { return; }
    State &it = state();
    std::lock_guard<std::mutex> lock(it.mutex);
    --it.running;
    it.changed.notify_all();
}

void crk::BeforeEnd::add(crk_db *db) {
    static std::once_flag once;
    std::call_once(once, watch);
    State &it = state();
    std::lock_guard<std::mutex> lock(it.mutex);
    it.open.insert(db);
}

void crk::BeforeEnd::remove(crk_db *db) {
    State &it = state();
    std::lock_guard<std::mutex> lock(it.mutex);
    it.open.erase(db);
}
