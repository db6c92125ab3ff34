// Compaction filters that call back.
#include "Callbacks.hpp"

#include <rocksdb/table.h>

namespace {

using Filter = crk_filter_decision (*)(void *, const crk_filter_context *, crk_bytes, crk_bytes, crk_result *);

}  // namespace

// Shared by the factories and by the filters that run.
struct crk_compaction_filter {
    struct Body {
        std::string name;
        uint8_t stages;
        bool filters_operands;
        crk::Context context;
        Filter filter;
    };
    std::shared_ptr<const Body> body;
};

namespace {

uint8_t stage_of(rocksdb::TableFileCreationReason reason) {
    switch (reason) {
    case rocksdb::TableFileCreationReason::kFlush: return CRK_STAGE_FLUSH;
    case rocksdb::TableFileCreationReason::kCompaction: return CRK_STAGE_COMPACTION;
    case rocksdb::TableFileCreationReason::kRecovery: return CRK_STAGE_RECOVERY;
    default: return 0;
    }
}

class CallbackFilter final : public rocksdb::CompactionFilter {
public:
    CallbackFilter(std::shared_ptr<const crk_compaction_filter::Body> body, const Context &context, bool can_skip)
        : body_(std::move(body)), can_skip_(can_skip) {
        file_.column_family_id = context.column_family_id;
        file_.stage = stage_of(context.reason);
        file_.is_full_compaction = context.is_full_compaction;
        file_.is_manual_compaction = context.is_manual_compaction;
    }
    const char *Name() const override { return body_->name.c_str(); }

    Decision FilterV2(int level, const rocksdb::Slice &key, ValueType type, const rocksdb::Slice &value, std::string *new_value,
        std::string *skip_until) const override {
        if (type != ValueType::kValue && (type != ValueType::kMergeOperand || !body_->filters_operands)) { return Decision::kKeep; }
        crk::CallbackScope scope;
        crk_filter_context file = file_;
        file.level = level;
        file.is_operand = type == ValueType::kMergeOperand;
        scratch_.clear();
        crk_result result{&scratch_};
        switch (body_->filter(body_->context.get(), &file, crk::lend(key), crk::lend(value), &result)) {
        case CRK_REMOVE: return Decision::kRemove;
        case CRK_CHANGE:
            new_value->swap(scratch_);
            return Decision::kChangeValue;
        case CRK_SKIP:
            // Without a way to skip, each entry is asked about.
            if (!can_skip_) { return Decision::kRemove; }
            skip_until->swap(scratch_);
            return Decision::kRemoveAndSkipUntil;
        default: return Decision::kKeep;
        }
    }

private:
    std::shared_ptr<const crk_compaction_filter::Body> body_;
    bool can_skip_;
    crk_filter_context file_{};
    mutable std::string scratch_;  // a filter is used by one thread
};

class CallbackFilterFactory final : public rocksdb::CompactionFilterFactory {
public:
    CallbackFilterFactory(std::shared_ptr<const crk_compaction_filter::Body> body, bool can_skip)
        : body_(std::move(body)), can_skip_(can_skip) {}
    const char *Name() const override { return body_->name.c_str(); }
    bool ShouldFilterTableFileCreation(rocksdb::TableFileCreationReason reason) const override {
        return (stage_of(reason) & body_->stages) != 0;
    }
    std::unique_ptr<rocksdb::CompactionFilter> CreateCompactionFilter(const rocksdb::CompactionFilter::Context &context) override {
        return std::make_unique<CallbackFilter>(body_, context, can_skip_);
    }

private:
    std::shared_ptr<const crk_compaction_filter::Body> body_;
    bool can_skip_;
};

}  // namespace

crk_compaction_filter *crk_compaction_filter_create(const char *name, uint8_t stages, bool filters_operands, void *context, Filter filter,
    void (*destroy)(void *)) {
    using Body = crk_compaction_filter::Body;
    return new crk_compaction_filter{
        std::shared_ptr<const Body>(new Body{name, stages, filters_operands, {context, destroy}, filter})};
}
void crk_compaction_filter_release(crk_compaction_filter *filter) { delete filter; }

crk_status crk_cf_options_set_compaction_filter(crk_cf_options *options, crk_compaction_filter *filter) {
    return crk::guarded([&] {
        // A plain table cannot be sought in total order.
        const auto &table = options->object.table_factory;
        const bool can_skip = table == nullptr || !table->IsInstanceOf("PlainTable");
        options->object.compaction_filter_factory = std::make_shared<CallbackFilterFactory>(filter->body, can_skip);
        return rocksdb::Status::OK();
    });
}
