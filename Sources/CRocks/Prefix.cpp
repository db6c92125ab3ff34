// Prefix extractors: fixed prefixes of keys that may be shorter, and those that call back.
#include "Callbacks.hpp"

#include <rocksdb/slice_transform.h>
#include <rocksdb/utilities/object_registry.h>

#include <algorithm>
#include <charconv>

namespace {

// RocksDB's FixedPrefix asserts that a key is long enough, and hash memtables, plain tables, hash indexes and `prefix_same_as_start` do not
// ask first: one short key, stored or sought, ends the process. This one gives a short key back whole. It has the same name, the same domain
// and the same answer for all other keys, so files and filters are interchangeable.
class TotalFixedPrefix final : public rocksdb::SliceTransform {
public:
    explicit TotalFixedPrefix(size_t length) : length_(length), id_(std::string(Name()) + "." + std::to_string(length)) {}
    const char *Name() const override { return "rocksdb.FixedPrefix"; }
    const char *NickName() const override { return "fixed"; }
    std::string GetId() const override { return id_; }
    rocksdb::Slice Transform(const rocksdb::Slice &key) const override { return {key.data(), std::min(length_, key.size())}; }
    bool InDomain(const rocksdb::Slice &key) const override { return key.size() >= length_; }
    bool FullLengthEnabled(size_t *length) const override {
        *length = length_;
        return true;
    }
    bool SameResultWhenAppended(const rocksdb::Slice &prefix) const override { return InDomain(prefix); }

private:
    size_t length_;
    std::string id_;
};

// "fixed:3" and "rocksdb.FixedPrefix.3"
const rocksdb::SliceTransform *make_fixed_prefix(const std::string &id, std::unique_ptr<const rocksdb::SliceTransform> *guard, std::string *message) {
    const size_t start = id.find_last_of(":.") + 1;
    size_t length = 0;
    const char *end = id.data() + id.size();
    const auto parsed = std::from_chars(id.data() + start, end, length);
    if (parsed.ec != std::errc() || parsed.ptr != end) {
        *message = "'" + id + "' is not the name of a fixed prefix";
        return nullptr;
    }
    guard->reset(new TotalFixedPrefix(length));
    return guard->get();
}

// Keys outside the domain are their own prefix, for those parts of RocksDB that do not ask first.
class CallbackPrefix final : public rocksdb::SliceTransform {
public:
    CallbackPrefix(const char *name, void *context, ptrdiff_t (*length)(void *, crk_bytes), void (*destroy)(void *))
        : name_(name), context_(context, destroy), length_(length) {}
    const char *Name() const override { return name_.c_str(); }
    rocksdb::Slice Transform(const rocksdb::Slice &key) const override {
        const ptrdiff_t length = ask(key);
        return length < 0 ? key : rocksdb::Slice(key.data(), std::min(static_cast<size_t>(length), key.size()));
    }
    bool InDomain(const rocksdb::Slice &key) const override { return ask(key) >= 0; }

private:
    // RocksDB asks twice about each key, whether it has a prefix and which, and asserts that the answers agree.
    ptrdiff_t ask(const rocksdb::Slice &key) const {
        thread_local struct {
            uint64_t extractor = 0;
            std::string key;
            ptrdiff_t length = 0;
        } last;
        if (last.extractor == id_ && key == last.key) { return last.length; }
        crk::CallbackScope scope;
        const ptrdiff_t length = length_(context_.get(), crk::lend(key));
        last.extractor = id_;
        last.key.assign(key.data(), key.size());
        return last.length = length;
    }
    static uint64_t next_id() {
        static std::atomic<uint64_t> count{0};
        return ++count;
    }

    const uint64_t id_ = next_id();
    std::string name_;
    crk::Context context_;
    ptrdiff_t (*length_)(void *, crk_bytes);
};

}  // namespace

crk_prefix_extractor *crk_prefix_extractor_create(const char *name, void *context, ptrdiff_t (*length)(void *, crk_bytes),
    void (*destroy)(void *)) {
    return new crk_prefix_extractor{std::make_shared<const CallbackPrefix>(name, context, length, destroy)};
}
void crk_prefix_extractor_release(crk_prefix_extractor *extractor) { delete extractor; }

void crk::register_prefix_extractors(rocksdb::ObjectLibrary &library) {
    using Pattern = rocksdb::ObjectLibrary::PatternEntry;
    library.AddFactory<const rocksdb::SliceTransform>(Pattern("fixed", false).AddNumber(":"), make_fixed_prefix);
    library.AddFactory<const rocksdb::SliceTransform>(Pattern("rocksdb.FixedPrefix", false).AddNumber("."), make_fixed_prefix);
}

void crk::register_objects() {
    // Libraries added later are searched first.
    static const bool done = [] {
        auto library = rocksdb::ObjectRegistry::Default()->AddLibrary("cairn");
        register_prefix_extractors(*library);
        register_unicode_comparators(*library);
        return true;
    }();
    static_cast<void>(done);
}
