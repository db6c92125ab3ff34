// What was written: the operations of batches, and the batches of the write-ahead log.
#ifndef CROCKS_LOG_TAIL_H
#define CROCKS_LOG_TAIL_H

#include "CRocksWriting.h"

CRK_BEGIN

typedef enum crk_record_kind {
    CRK_RECORD_PUT, CRK_RECORD_MERGE, CRK_RECORD_DELETE, CRK_RECORD_SINGLE_DELETE, CRK_RECORD_DELETE_RANGE,
    CRK_RECORD_PUT_ENTITY,  // `value` is the entity as RocksDB writes it
    CRK_RECORD_LOG_DATA,    // `value` is the data
    CRK_RECORD_BEGIN_PREPARE, CRK_RECORD_END_PREPARE, CRK_RECORD_COMMIT, CRK_RECORD_ROLLBACK,  // `key` is the transaction's name
    CRK_RECORD_BLOB_INDEX,
} crk_record_kind;

// Lent until the callback returns.
typedef void (*crk_record_sink)(void *context, crk_record_kind kind, uint32_t column_family, crk_bytes key, crk_bytes value);

crk_status crk_batch_records(const crk_batch *batch, void *context, crk_record_sink each);

// The records of a batch in its log form. CRK_NOT_SUPPORTED: it has markers of two-phase transactions.
crk_status crk_log_records(crk_bytes data, void *context, crk_record_sink each);

// Reads the log from a sequence number on. May be used on any thread. Does not keep the database open: it ends when the database is closed.
typedef struct crk_log_tail crk_log_tail;
// `first` is the sequence number of the first write to read, at most one more than the latest.
crk_status crk_log_tail_create(crk_db *db, uint64_t first, bool skip_gaps, crk_log_tail *CRK_NULLABLE *CRK_NULLABLE tail);
// The next batch: `batch` receives its serialised form and then `each` its records. `found` false: there is none yet. CRK_CLOSED: the database
// is closed. CRK_LOG_TRUNCATED: the next change is not in the log.
crk_status crk_log_tail_next(crk_log_tail *tail, void *context, crk_sink batch, crk_record_sink each, uint64_t *sequence_number,
    uint32_t *count, bool *found);
// Calls `wake` once: when there may be something new, when the database closes, or when `crk_log_tail_wake` is called; possibly before this
// returns. `wake` must not block.
void crk_log_tail_wait(crk_log_tail *tail, void *context, void (*wake)(void *context));
void crk_log_tail_wake(crk_log_tail *tail);
uint64_t crk_log_tail_next_sequence_number(crk_log_tail *tail);
void crk_log_tail_free(crk_log_tail *tail);

CRK_END

#endif
