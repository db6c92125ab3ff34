// Comparators, merge operators, caches, statistics.
#include "Internal.hpp"

#include <rocksdb/convenience.h>
#include <rocksdb/slice.h>

struct crk_result { std::string *text; };

namespace {

// Owns the user's context and ends it exactly once.
class Context {
public:
    Context(void *context, void (*destroy)(void *)) : context_(context), destroy_(destroy) {}
    ~Context() { destroy_(context_); }
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;
    void *get() const { return context_; }

private:
    void *context_;
    void (*destroy_)(void *);
};

class CallbackComparator final : public rocksdb::Comparator {
public:
    CallbackComparator(const char *name, void *context, int (*compare)(void *, crk_bytes, crk_bytes), void (*destroy)(void *))
        : name_(name), context_(context, destroy), compare_(compare) {}
    const char *Name() const override { return name_.c_str(); }
    int Compare(const rocksdb::Slice &a, const rocksdb::Slice &b) const override {
        crk::CallbackScope scope;
        return compare_(context_.get(), crk::lend(a), crk::lend(b));
    }
    // Shortening index keys is optional, and only a comparator that knows bytes can do it.
    void FindShortestSeparator(std::string *, const rocksdb::Slice &) const override {}
    void FindShortSuccessor(std::string *) const override {}

private:
    std::string name_;
    Context context_;
    int (*compare_)(void *, crk_bytes, crk_bytes);
};

class CallbackMergeOperator final : public rocksdb::MergeOperator {
public:
    using Full = bool (*)(void *, crk_bytes, const crk_bytes *, const crk_bytes *, size_t, crk_result *);
    using Partial = bool (*)(void *, crk_bytes, const crk_bytes *, size_t, crk_result *);

    CallbackMergeOperator(const char *name, void *context, Full full, Partial partial, void (*destroy)(void *))
        : name_(name), context_(context, destroy), full_(full), partial_(partial) {}
    const char *Name() const override { return name_.c_str(); }

    bool FullMergeV2(const MergeOperationInput &in, MergeOperationOutput *out) const override {
        crk::CallbackScope scope;
        crk_bytes existing{};
        if (in.existing_value != nullptr) { existing = crk::lend(*in.existing_value); }
        auto operands = lend_all(in.operand_list);
        crk_result result{&out->new_value};
        return full_(context_.get(), crk::lend(in.key), in.existing_value == nullptr ? nullptr : &existing, operands.data(), operands.size(),
            &result);
    }
    bool PartialMerge(const rocksdb::Slice &key, const rocksdb::Slice &left, const rocksdb::Slice &right, std::string *new_value,
        rocksdb::Logger *) const override {
        const crk_bytes operands[] = {crk::lend(left), crk::lend(right)};
        return combine(key, operands, 2, new_value);
    }
    bool PartialMergeMulti(const rocksdb::Slice &key, const std::deque<rocksdb::Slice> &list, std::string *new_value,
        rocksdb::Logger *) const override {
        auto operands = lend_all(list);
        return combine(key, operands.data(), operands.size(), new_value);
    }

private:
    template <class List> static std::vector<crk_bytes> lend_all(const List &list) {
        std::vector<crk_bytes> lent;
        lent.reserve(list.size());
        for (const auto &slice : list) { lent.push_back(crk::lend(slice)); }
        return lent;
    }
    bool combine(const rocksdb::Slice &key, const crk_bytes *operands, size_t count, std::string *new_value) const {
        if (partial_ == nullptr) { return false; }
        crk::CallbackScope scope;
        crk_result result{new_value};
        return partial_(context_.get(), crk::lend(key), operands, count, &result);
    }

    std::string name_;
    Context context_;
    Full full_;
    Partial partial_;
};

// RocksDB's own comparators live forever.
crk_comparator *borrowed(const rocksdb::Comparator *comparator) {
    return new crk_comparator{std::shared_ptr<const rocksdb::Comparator>(comparator, [](const rocksdb::Comparator *) {})};
}

}  // namespace

crk_comparator *crk_comparator_create(const char *name, void *context, int (*compare)(void *, crk_bytes, crk_bytes),
    void (*destroy)(void *)) {
    return new crk_comparator{std::make_shared<const CallbackComparator>(name, context, compare, destroy)};
}
crk_comparator *crk_comparator_bytewise(void) { return borrowed(rocksdb::BytewiseComparator()); }
crk_comparator *crk_comparator_reverse_bytewise(void) { return borrowed(rocksdb::ReverseBytewiseComparator()); }
void crk_comparator_release(crk_comparator *comparator) { delete comparator; }

bool crk_result_set(crk_result *result, crk_bytes bytes) {
    try {
        result->text->assign(static_cast<const char *>(bytes.data), bytes.size);
        return true;
    } catch (...) {
        return false;
    }
}

crk_merge_operator *crk_merge_operator_create(const char *name, void *context, CallbackMergeOperator::Full full,
    CallbackMergeOperator::Partial partial, void (*destroy)(void *)) {
    return new crk_merge_operator{std::make_shared<CallbackMergeOperator>(name, context, full, partial, destroy)};
}
crk_status crk_merge_operator_named(const char *name, crk_merge_operator **out) {
    return crk::guarded([&] {
        rocksdb::ConfigOptions config;
        config.ignore_unsupported_options = false;
        std::shared_ptr<rocksdb::MergeOperator> object;
        auto status = rocksdb::MergeOperator::CreateFromString(config, name, &object);
        if (status.ok() && object == nullptr) { status = rocksdb::Status::NotSupported("no such merge operator", name); }
        if (status.ok()) { *out = new crk_merge_operator{object}; }
        return status;
    });
}
void crk_merge_operator_release(crk_merge_operator *merge_operator) { delete merge_operator; }

crk_statistics *crk_statistics_create(void) {
    try {
        return new crk_statistics{rocksdb::CreateDBStatistics()};
    } catch (...) {
        return nullptr;
    }
}
void crk_statistics_tickers(const crk_statistics *statistics, void *context, void (*each)(void *, crk_bytes, uint64_t)) {
    for (const auto &entry : rocksdb::TickersNameMap) {
        each(context, crk::lend(entry.second), statistics->object->getTickerCount(entry.first));
    }
}
void crk_statistics_histograms(const crk_statistics *statistics, void *context, void (*each)(void *, crk_bytes, crk_histogram)) {
    for (const auto &entry : rocksdb::HistogramsNameMap) {
        rocksdb::HistogramData data;
        statistics->object->histogramData(entry.first, &data);
        each(context, crk::lend(entry.second), {data.median, data.percentile95, data.percentile99, data.average, data.standard_deviation,
            data.max, data.min, data.count, data.sum});
    }
}
crk_status crk_statistics_reset(crk_statistics *statistics) {
    return crk::guarded([&] { return statistics->object->Reset(); });
}
void crk_statistics_release(crk_statistics *statistics) { delete statistics; }
