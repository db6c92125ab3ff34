// Objects that RocksDB calls: comparators, merge operators, prefix extractors, compaction filters, log handlers. Each create is paired with one
// release; options and databases keep their own references.
//
// Functions passed here are called on any thread, including RocksDB's; `destroy(context)` runs once, on any thread, when the last user is
// gone. Bytes are lent for the call.
#ifndef CROCKS_CALLBACKS_H
#define CROCKS_CALLBACKS_H

#include "CRocksStatus.h"

CRK_BEGIN

typedef struct crk_result crk_result;  // a C++ string to be filled
bool crk_result_set(crk_result *result, crk_bytes bytes);  // replaces what is there; false: no memory

typedef struct crk_comparator crk_comparator;
typedef struct crk_comparator_functions {
    int (*compare)(void *context, crk_bytes a, crk_bytes b);  // <0, 0, >0
    // A short key that is not before `start`, but before `limit`; false: none. A result that is not shorter than `start`, or not in this range,
    // is ignored.
    bool (*CRK_NULLABLE separate)(void *context, crk_bytes start, crk_bytes limit, crk_result *result);
    // A short key that is not before `key`; false: none. A result that is not shorter, or is before `key`, is ignored.
    bool (*CRK_NULLABLE succeed)(void *context, crk_bytes key, crk_result *result);
    void (*destroy)(void *context);
} crk_comparator_functions;
// `can_equal_differ`: whether keys with different bytes can be equal.
crk_comparator *crk_comparator_create(const char *name, bool can_equal_differ, void *context, crk_comparator_functions functions);
crk_comparator *crk_comparator_bytewise(void);
crk_comparator *crk_comparator_reverse_bytewise(void);
crk_comparator *crk_comparator_unicode(bool descending, bool objective_rocks);
int crk_comparator_compare(const crk_comparator *comparator, crk_bytes a, crk_bytes b);  // <0, 0, >0
void crk_comparator_release(crk_comparator *comparator);

typedef struct crk_merge_operator crk_merge_operator;
// `full` merges `operands`, oldest first, onto `existing` (NULL: no value); false means failure and surfaces as corruption.
// `partial` combines operands into one; false means "cannot be combined now" and is not a failure.
crk_merge_operator *crk_merge_operator_create(const char *name, void *context,
    bool (*full)(void *context, crk_bytes key, const crk_bytes *CRK_NULLABLE existing, const crk_bytes *operands, size_t count,
        crk_result *result),
    bool (*CRK_NULLABLE partial)(void *context, crk_bytes key, const crk_bytes *operands, size_t count, crk_result *result),
    void (*destroy)(void *context));
// One of RocksDB's own, by name ("uint64add", "stringappend", "max", ...).
crk_status crk_merge_operator_named(const char *name, crk_merge_operator *CRK_NULLABLE *CRK_NULLABLE operator_out);
void crk_merge_operator_release(crk_merge_operator *merge_operator);

typedef struct crk_prefix_extractor crk_prefix_extractor;
// `length` returns how many bytes of the key are its prefix; negative: the key has none. A number beyond its length means the whole key.
crk_prefix_extractor *crk_prefix_extractor_create(const char *name, void *context, ptrdiff_t (*length)(void *context, crk_bytes key),
    void (*destroy)(void *context));
void crk_prefix_extractor_release(crk_prefix_extractor *extractor);

typedef enum crk_filter_decision { CRK_KEEP, CRK_REMOVE, CRK_CHANGE, CRK_SKIP } crk_filter_decision;
// Why a file is written.
enum crk_filter_stage { CRK_STAGE_FLUSH = 1, CRK_STAGE_COMPACTION = 2, CRK_STAGE_RECOVERY = 4 };
typedef struct crk_filter_context {
    int32_t level;
    uint32_t column_family_id;
    uint8_t stage;  // one crk_filter_stage
    bool is_full_compaction, is_manual_compaction;
    bool is_operand;  // the value is an operand of a merge
} crk_filter_context;
typedef struct crk_compaction_filter crk_compaction_filter;
// `filter` decides about one entry; with CRK_CHANGE it sets `result` to the new value, with CRK_SKIP to the key up to which all entries are removed.
// `stages`: a combination of crk_filter_stage. Without `filters_operands`, merge operands are kept without calling `filter`.
crk_compaction_filter *crk_compaction_filter_create(const char *name, uint8_t stages, bool filters_operands, void *context,
    crk_filter_decision (*filter)(void *context, const crk_filter_context *file, crk_bytes key, crk_bytes value, crk_result *result),
    void (*destroy)(void *context));
void crk_compaction_filter_release(crk_compaction_filter *filter);

CRK_END

#endif
