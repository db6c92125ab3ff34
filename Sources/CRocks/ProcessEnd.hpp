// The end of the process must not overtake the opening and closing of databases.
//
// exit() destroys what RocksDB has once for all databases: the timer, the environment that runs background work, the tables of options by name.
// A thread that starts or stops the timer at that moment ends the process in std::terminate (Timer::~Timer with its thread still to be joined);
// one that schedules a flush or looks an option up uses what is gone. Later releases keep some of this for good; 7.8 does not.
#pragma once

#include "Internal.hpp"

namespace crk {

// Lives while databases are opened or closed. exit() waits for it; what begins later must not, and finds the process ending.
class BeforeEnd {
public:
    BeforeEnd();
    ~BeforeEnd();
    BeforeEnd(const BeforeEnd &) = delete;
    BeforeEnd &operator=(const BeforeEnd &) = delete;

    // Whether exit() runs on another thread: nothing may be opened or closed any more, and what is open stays so, for good.
    const bool is_too_late;

    // Within a scope, of a database that is open from now on: its background work ends when the process does.
    static void add(crk_db *db);
    // Within a scope, of one that is to be closed.
    static void remove(crk_db *db);
};

inline rocksdb::Status ending_status() { return rocksdb::Status::ShutdownInProgress("the process is ending"); }

// Runs, inside of `guarded`, what the end must not overtake; an error where it comes too late.
template <class Body> auto before_end(Body &&body) -> decltype(body()) {
    BeforeEnd scope;
    if (scope.is_too_late) { throw Failed{convert(ending_status())}; }
    return body();
}

}  // namespace crk
