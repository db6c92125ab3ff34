// The order of text by its canonical decomposition under Unicode 14.0, with its own tables: no release of a library or an operating
// system can change it. docs/decisions/0006-the-order-of-text-is-frozen.md has the reasons.
#include "Callbacks.hpp"

#include <rocksdb/utilities/object_registry.h>

#include <algorithm>
#include <cstring>

namespace {

struct Decomposition { uint32_t from, to[4]; };  // unused places are zero
struct Marks { uint32_t first, last; uint8_t combining; };

#include "UnicodeTables.hpp"

constexpr uint32_t kEnd = UINT32_MAX;

uint8_t combining_class(uint32_t scalar) {
    if (scalar < 0x300) { return 0; }
    const Marks *found = std::lower_bound(std::begin(kMarks), std::end(kMarks), scalar,
        [](const Marks &marks, uint32_t number) { return marks.last < number; });
    return found != std::end(kMarks) && found->first <= scalar ? found->combining : 0;
}

// Gives the scalars of a text in canonical decomposition, one by one. A byte that is not part of well-formed UTF-8 represents itself, behind
// all scalars.
class Decomposed {
public:
    explicit Decomposed(rocksdb::Slice text) : at_(reinterpret_cast<const uint8_t *>(text.data())), end_(at_ + text.size()) {
        ahead_ = next_unsorted();
    }

    uint32_t next() {
        if (position_ == segment_.size()) { fill(); }
        return position_ == segment_.size() ? kEnd : segment_[position_++].scalar;
    }

private:
    struct Part {
        uint32_t scalar, place;
        uint8_t combining;
    };

    // The next scalar that begins something, and the marks behind it in the order of their classes.
    void fill() {
        segment_.clear();
        position_ = 0;
        if (ahead_ == kEnd) { return; }
        segment_.push_back({ahead_, 0, combining_class(ahead_)});
        for (ahead_ = next_unsorted(); ahead_ != kEnd; ahead_ = next_unsorted()) {
            const uint8_t combining = combining_class(ahead_);
            if (combining == 0) { break; }
            segment_.push_back({ahead_, static_cast<uint32_t>(segment_.size()), combining});
        }
        const auto marks = segment_.begin() + (segment_.front().combining == 0 ? 1 : 0);
        std::sort(marks, segment_.end(), [](const Part &a, const Part &b) {
            return a.combining != b.combining ? a.combining < b.combining : a.place < b.place;
        });
    }

    uint32_t next_unsorted() {
        if (part_ < 4 && parts_[part_] != 0) { return parts_[part_++]; }
        if (at_ == end_) { return kEnd; }
        const uint32_t scalar = decode();
        part_ = 4;
        if (scalar < 0xC0 || scalar > 0x10FFFF) { return scalar; }
        if (scalar >= 0xAC00 && scalar < 0xD7A4) {
            const uint32_t index = scalar - 0xAC00, trailing = index % 28;
            return expand({scalar, {0x1100 + index / 588, 0x1161 + index % 588 / 28, trailing == 0 ? 0 : 0x11A7 + trailing, 0}});
        }
        const Decomposition *found = std::lower_bound(std::begin(kDecompositions), std::end(kDecompositions), scalar,
            [](const Decomposition &entry, uint32_t number) { return entry.from < number; });
        return found != std::end(kDecompositions) && found->from == scalar ? expand(*found) : scalar;
    }
    uint32_t expand(const Decomposition &entry) {
        std::copy(std::begin(entry.to), std::end(entry.to), parts_);
        part_ = 1;
        return parts_[0];
    }

    uint32_t decode() {
        const uint32_t lead = *at_++;
        if (lead < 0x80) { return lead; }
        const size_t more = lead >= 0xC2 && lead < 0xE0 ? 1 : lead >= 0xE0 && lead < 0xF0 ? 2 : lead >= 0xF0 && lead < 0xF5 ? 3 : 0;
        const uint32_t alone = 0x110000 + lead;
        if (more == 0 || static_cast<size_t>(end_ - at_) < more) { return alone; }
        uint32_t scalar = lead & (0x3F >> more);
        for (size_t i = 0; i < more; ++i) {
            if ((at_[i] & 0xC0) != 0x80) { return alone; }
            scalar = scalar << 6 | (at_[i] & 0x3F);
        }
        const bool too_long = (more == 2 && scalar < 0x800) || (more == 3 && scalar < 0x10000);
        if (too_long || (scalar >= 0xD800 && scalar < 0xE000) || scalar > 0x10FFFF) { return alone; }
        at_ += more;
        return scalar;
    }

    const uint8_t *at_, *end_;
    uint32_t parts_[4] = {}, ahead_;
    size_t part_ = 4, position_ = 0;
    std::vector<Part> segment_;
};

bool is_ascii(const rocksdb::Slice &text, size_t index) { return static_cast<uint8_t>(text[index]) < 0x80; }

int compare_text(const rocksdb::Slice &a, const rocksdb::Slice &b) {
    const size_t shorter = std::min(a.size(), b.size());
    size_t same = 0;
    while (same + 8 <= shorter && std::memcmp(a.data() + same, b.data() + same, 8) == 0) { same += 8; }
    while (same < shorter && a[same] == b[same]) { ++same; }
    if (same == a.size() && same == b.size()) { return 0; }
    // ASCII neither combines nor decomposes: between such characters, and the ends, the bytes decide.
    const bool a_plain = same == a.size() || is_ascii(a, same), b_plain = same == b.size() || is_ascii(b, same);
    if (a_plain && b_plain) {
        if (same == a.size() || same == b.size()) { return same == a.size() ? -1 : 1; }
        return a[same] < b[same] ? -1 : 1;
    }
    while (same > 0 && !is_ascii(a, same - 1)) { --same; }
    if (same > 0) { --same; }
    Decomposed left({a.data() + same, a.size() - same}), right({b.data() + same, b.size() - same});
    for (;;) {
        const uint32_t x = left.next(), y = right.next();
        if (x == kEnd && y == kEnd) { return 0; }
        if (x != y) { return y == kEnd || (x != kEnd && x > y) ? 1 : -1; }
    }
}

class UnicodeComparator final : public rocksdb::Comparator {
public:
    UnicodeComparator(const char *name, bool descending) : name_(name), descending_(descending) {}
    const char *Name() const override { return name_; }
    int Compare(const rocksdb::Slice &a, const rocksdb::Slice &b) const override { return descending_ ? compare_text(b, a) : compare_text(a, b); }
    void FindShortestSeparator(std::string *, const rocksdb::Slice &) const override {}
    void FindShortSuccessor(std::string *) const override {}

private:
    const char *name_;
    bool descending_;
};

// The order under its own names, and under those of ObjectiveRocks' comparators.
constexpr const char *kNames[2][2] = {{"cairn.unicode14.ascending", "cairn.unicode14.descending"},
    {"objectiverocks.string.compare.asc", "objectiverocks.string.compare.desc"}};

const rocksdb::Comparator *unicode_comparator(bool descending, bool objective_rocks) {
    // Never destroyed: databases that are left open at the end of the process still compare.
    static const UnicodeComparator *const comparators[2][2] = {
        {new UnicodeComparator(kNames[0][0], false), new UnicodeComparator(kNames[0][1], true)},
        {new UnicodeComparator(kNames[1][0], false), new UnicodeComparator(kNames[1][1], true)}};
    return comparators[objective_rocks][descending];
}

}  // namespace

crk_comparator *crk_comparator_unicode(bool descending, bool objective_rocks) {
    return crk::borrowed(unicode_comparator(descending, objective_rocks));
}

void crk::register_unicode_comparators(rocksdb::ObjectLibrary &library) {
    for (int index = 0; index < 4; ++index) {
        const bool descending = index % 2 == 1, objective_rocks = index / 2 == 1;
        library.AddFactory<const rocksdb::Comparator>(kNames[objective_rocks][descending],
            [=](const std::string &, std::unique_ptr<const rocksdb::Comparator> *, std::string *) {
                return unicode_comparator(descending, objective_rocks);
            });
    }
}
