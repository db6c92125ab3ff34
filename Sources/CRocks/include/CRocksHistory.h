// Column families whose keys have times (RocksDB's user-defined timestamps, 64 bits).
#ifndef CROCKS_HISTORY_H
#define CROCKS_HISTORY_H

#include "CRocksReading.h"
#include "CRocksSnapshots.h"
#include "CRocksWriting.h"

CRK_BEGIN

// The order of a column family that keeps its history: bytewise, and for each key the newest time first.
void crk_cf_options_set_history(crk_cf_options *options);

// Like `crk_read_options_create`, for reading the state at `time`.
crk_read_options *CRK_NULLABLE crk_read_options_create_at(const crk_read_settings *settings, crk_snapshot *CRK_NULLABLE snapshot, uint64_t time);

// Like `crk_write` and `crk_batch_add`, at `time`, which must not be before the time of an earlier write. Puts and deletes only.
crk_status crk_write_at(crk_column_family *family, const crk_write_options *options, crk_operation operation, crk_bytes key,
    crk_bytes value, uint64_t time);
crk_status crk_batch_add_at(crk_batch *batch, crk_column_family *family, crk_operation operation, crk_bytes key, crk_bytes value, uint64_t time);

// All versions of `key` up to the time of `options`, newest first; `value` is lent until `each` returns.
crk_status crk_history(crk_column_family *family, const crk_read_options *options, crk_bytes key, void *context,
    void (*each)(void *context, uint64_t time, bool deleted, crk_bytes value));

// From now on, compactions may drop versions that no read at `begin` or later can see.
crk_status crk_history_forget(crk_column_family *family, uint64_t begin);
// The earliest time that can be read, and the latest written.
crk_status crk_history_span(crk_column_family *family, uint64_t *begin, uint64_t *newest);

CRK_END

#endif
