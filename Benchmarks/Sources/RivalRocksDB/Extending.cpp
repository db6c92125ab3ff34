#include "Rival.hpp"

#include <rocksdb/compaction_filter.h>
#include <rocksdb/comparator.h>
#include <rocksdb/merge_operator.h>

namespace {

class Order final : public rocksdb::Comparator {
public:
    const char *Name() const override { return "bench.order"; }
    int Compare(const rocksdb::Slice &a, const rocksdb::Slice &b) const override {
        const uint64_t x = number(a, 0), y = number(b, 0);
        if (x != y) { return x < y ? -1 : 1; }
        const uint64_t v = number(a, 8), w = number(b, 8);
        return v < w ? -1 : v > w ? 1 : 0;
    }
    void FindShortestSeparator(std::string *, const rocksdb::Slice &) const override {}
    void FindShortSuccessor(std::string *) const override {}

private:
    static uint64_t number(const rocksdb::Slice &key, size_t at) { return __builtin_bswap64(bench::load(key.data() + at)); }
};

class Adding final : public rocksdb::AssociativeMergeOperator {
public:
    const char *Name() const override { return "bench.add"; }
    bool Merge(const rocksdb::Slice &, const rocksdb::Slice *existing, const rocksdb::Slice &operand, std::string *result,
        rocksdb::Logger *) const override {
        const uint64_t sum = (existing == nullptr ? 0 : bench::load(existing->data())) + bench::load(operand.data());
        result->assign(reinterpret_cast<const char *>(&sum), sizeof sum);
        return true;
    }
};

class Thirds final : public rocksdb::CompactionFilter {
public:
    const char *Name() const override { return "bench.thirds"; }
    Decision FilterV2(int, const rocksdb::Slice &, ValueType, const rocksdb::Slice &value, std::string *, std::string *) const override {
        return bench::load(value.data()) % 3 == 0 ? Decision::kRemove : Decision::kKeep;
    }
};

class ThirdsFactory final : public rocksdb::CompactionFilterFactory {
public:
    const char *Name() const override { return "bench.thirds"; }
    std::unique_ptr<rocksdb::CompactionFilter> CreateCompactionFilter(const rocksdb::CompactionFilter::Context &) override {
        return std::make_unique<Thirds>();
    }
};

}  // namespace

void bench::extend(rocksdb::ColumnFamilyOptions &options, rival_extension extension) {
    static const Order order;
    switch (extension) {
    case RIVAL_COMPARATOR: options.comparator = &order; break;
    case RIVAL_MERGE: options.merge_operator = std::make_shared<Adding>(); break;
    case RIVAL_TRANSACTIONS: break;
    case RIVAL_FILTER: options.compaction_filter_factory = std::make_shared<ThirdsFactory>(); break;
    default: break;
    }
}

bool rival_merge(rival *rival, rival_rows rows) {
    bench::Key key;
    for (size_t i = 0; i < rows.count; ++i) {
        const uint64_t row = rows.numbers[i];
        key.set(row % 1000);
        rocksdb::Status status = rival->db->Merge(rival->write, key.slice(), {reinterpret_cast<const char *>(&row), sizeof row});
        if (!status.ok()) { return rival->check(status); }
    }
    return true;
}
