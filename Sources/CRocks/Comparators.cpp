// Comparators that call back.
#include "Callbacks.hpp"

namespace {

class CallbackComparator final : public rocksdb::Comparator {
public:
    CallbackComparator(const char *name, bool can_equal_differ, void *context, crk_comparator_functions functions)
        : name_(name), can_equal_differ_(can_equal_differ), context_(context, functions.destroy), functions_(functions) {}
    const char *Name() const override { return name_.c_str(); }
    bool CanKeysWithDifferentByteContentsBeEqual() const override { return can_equal_differ_; }
    int Compare(const rocksdb::Slice &a, const rocksdb::Slice &b) const override {
        crk::CallbackScope scope;
        return functions_.compare(context_.get(), crk::lend(a), crk::lend(b));
    }
    // RocksDB believes what it gets here, so only what is right gets through.
    void FindShortestSeparator(std::string *start, const rocksdb::Slice &limit) const override {
        if (functions_.separate == nullptr) { return; }
        crk::CallbackScope scope;
        std::string found;
        crk_result result{&found};
        if (!functions_.separate(context_.get(), crk::lend(*start), crk::lend(limit), &result)) { return; }
        if (found.size() < start->size() && Compare(*start, found) <= 0 && Compare(found, limit) < 0) { *start = std::move(found); }
    }
    void FindShortSuccessor(std::string *key) const override {
        if (functions_.succeed == nullptr) { return; }
        crk::CallbackScope scope;
        std::string found;
        crk_result result{&found};
        if (!functions_.succeed(context_.get(), crk::lend(*key), &result)) { return; }
        if (found.size() < key->size() && Compare(*key, found) <= 0) { *key = std::move(found); }
    }

private:
    std::string name_;
    bool can_equal_differ_;
    crk::Context context_;
    crk_comparator_functions functions_;
};

}  // namespace

crk_comparator *crk_comparator_create(const char *name, bool can_equal_differ, void *context, crk_comparator_functions functions) {
    return new crk_comparator{std::make_shared<const CallbackComparator>(name, can_equal_differ, context, functions)};
}
crk_comparator *crk_comparator_bytewise(void) { return crk::borrowed(rocksdb::BytewiseComparator()); }
crk_comparator *crk_comparator_reverse_bytewise(void) { return crk::borrowed(rocksdb::ReverseBytewiseComparator()); }
int crk_comparator_compare(const crk_comparator *comparator, crk_bytes a, crk_bytes b) {
    return comparator->object->Compare(crk::slice(a), crk::slice(b));
}
void crk_comparator_release(crk_comparator *comparator) { delete comparator; }
