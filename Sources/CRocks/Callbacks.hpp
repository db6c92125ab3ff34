// What every object has that calls back: the user's context, and the string for results.
#pragma once

#include "Internal.hpp"

struct crk_result { std::string *text; };

namespace crk {

// Owns the user's context and ends it exactly once.
class Context {
public:
    Context(void *context, void (*destroy)(void *)) : context_(context), destroy_(destroy) {}
    ~Context() {
        // What the user's objects release may be the last reference to a database.
        CallbackScope scope;
        destroy_(context_);
    }
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;
    void *get() const { return context_; }

private:
    void *context_;
    void (*destroy_)(void *);
};

// RocksDB's own comparators live forever.
inline crk_comparator *borrowed(const rocksdb::Comparator *comparator) {
    return new crk_comparator{std::shared_ptr<const rocksdb::Comparator>(comparator, [](const rocksdb::Comparator *) {})};
}

}  // namespace crk
