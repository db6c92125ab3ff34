// Column families whose keys have times (RocksDB's user-defined timestamps, 64 bits).
#ifndef CROCKS_HISTORY_H
#define CROCKS_HISTORY_H

#include "CRocksReading.h"
#include "CRocksSnapshots.h"
#include "CRocksWriting.h"

CRK_BEGIN

// The order of a column family with a history: bytewise, and for one key the newest time first.
void crk_cf_options_set_history(crk_cf_options *options);

// As `crk_read_options_create`, for reading what was there at `time`.
crk_read_options *CRK_NULLABLE crk_read_options_create_at(const crk_read_settings *settings, crk_snapshot *CRK_NULLABLE snapshot, uint64_t time);

// As `crk_write` and `crk_batch_add`, at `time`, which must not come before that of an earlier write. Puts and deletes only.
crk_status crk_write_at(crk_column_family *family, const crk_write_options *options, crk_operation operation, crk_bytes key,
    crk_bytes value, uint64_t time);
crk_status crk_batch_add_at(crk_batch *batch, crk_column_family *family, crk_operation operation, crk_bytes key, crk_bytes value, uint64_t time);

// All versions of `key` up to the time of `options`, newest first; `value` is lent until `each` returns.
crk_status crk_history(crk_column_family *family, const crk_read_options *options, crk_bytes key, void *context,
    void (*each)(void *context, uint64_t time, bool deleted, crk_bytes value));

// Versions that nobody reading at `begin` or later sees may be dropped by compactions from now on.
crk_status crk_history_forget(crk_column_family *family, uint64_t begin);
// The earliest time that can be read, and the latest written.
crk_status crk_history_span(crk_column_family *family, uint64_t *begin, uint64_t *newest);

CRK_END

#endif
