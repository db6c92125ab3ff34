// Merge operators: those that call back, and RocksDB's own.
#include "Callbacks.hpp"
#include "ProcessEnd.hpp"

#include <rocksdb/convenience.h>

#include <array>

namespace {

// Operands as the callback takes them; only many of them cost an allocation.
class Lent {
public:
    template <class List> explicit Lent(const List &list) : count_(list.size()) {
        crk_bytes *to = few_.data();
        if (count_ > few_.size()) {
            many_.resize(count_);
            to = many_.data();
        }
        first_ = to;
        for (const auto &slice : list) { *to++ = crk::lend(slice); }
    }
    Lent(const Lent &) = delete;
    Lent &operator=(const Lent &) = delete;
    const crk_bytes *first() const { return first_; }
    size_t count() const { return count_; }

private:
    size_t count_;
    const crk_bytes *first_;
    std::array<crk_bytes, 16> few_;
    std::vector<crk_bytes> many_;
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
        const Lent operands(in.operand_list);
        crk_result result{&out->new_value};
        return full_(context_.get(), crk::lend(in.key), in.existing_value == nullptr ? nullptr : &existing, operands.first(),
            operands.count(), &result);
    }
    bool PartialMerge(const rocksdb::Slice &key, const rocksdb::Slice &left, const rocksdb::Slice &right, std::string *new_value,
        rocksdb::Logger *) const override {
        return combine(key, std::array<rocksdb::Slice, 2>{left, right}, new_value);
    }
    bool PartialMergeMulti(const rocksdb::Slice &key, const std::deque<rocksdb::Slice> &list, std::string *new_value,
        rocksdb::Logger *) const override {
        return combine(key, list, new_value);
    }

private:
    template <class List> bool combine(const rocksdb::Slice &key, const List &list, std::string *new_value) const {
        if (partial_ == nullptr) { return false; }
        crk::CallbackScope scope;
        const Lent operands(list);
        crk_result result{new_value};
        return partial_(context_.get(), crk::lend(key), operands.first(), operands.count(), &result);
    }

    std::string name_;
    crk::Context context_;
    Full full_;
    Partial partial_;
};

}  // namespace

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
        auto status = crk::before_end([&] { return rocksdb::MergeOperator::CreateFromString(config, name, &object); });
        if (status.ok() && object == nullptr) { status = rocksdb::Status::NotSupported("no such merge operator", name); }
        if (status.ok()) { *out = new crk_merge_operator{object}; }
        return status;
    });
}
void crk_merge_operator_release(crk_merge_operator *merge_operator) { delete merge_operator; }
