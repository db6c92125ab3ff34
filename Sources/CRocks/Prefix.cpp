// Fixed prefixes of keys that may be shorter.
#include "Internal.hpp"

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
const rocksdb::SliceTransform *make(const std::string &id, std::unique_ptr<const rocksdb::SliceTransform> *guard, std::string *message) {
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

}  // namespace

void crk::use_total_prefix_extractors() {
    // Libraries added later are searched first.
    static const bool done = [] {
        auto library = rocksdb::ObjectRegistry::Default()->AddLibrary("cairn");
        using Pattern = rocksdb::ObjectLibrary::PatternEntry;
        library->AddFactory<const rocksdb::SliceTransform>(Pattern("fixed", false).AddNumber(":"), make);
        library->AddFactory<const rocksdb::SliceTransform>(Pattern("rocksdb.FixedPrefix", false).AddNumber("."), make);
        return true;
    }();
    static_cast<void>(done);
}
