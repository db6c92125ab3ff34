// Batches that can be read before they are written.
#ifndef CROCKS_INDEXED_BATCHES_H
#define CROCKS_INDEXED_BATCHES_H

#include "CRocksCursors.h"
#include "CRocksLogTail.h"

CRK_BEGIN

// Belongs to one database. Without `overwrite`, the index holds every operation, and the batch cannot be iterated together with the database.
typedef struct crk_indexed_batch crk_indexed_batch;
crk_status crk_indexed_batch_create(crk_db *db, bool overwrite, size_t reserved_bytes, size_t max_bytes,
    crk_indexed_batch *CRK_NULLABLE *CRK_NULLABLE batch);
void crk_indexed_batch_free(crk_indexed_batch *batch);

crk_status crk_indexed_batch_add(crk_indexed_batch *batch, crk_column_family *family, crk_operation operation, crk_bytes key,
    crk_bytes value);
crk_status crk_indexed_batch_put_log_data(crk_indexed_batch *batch, crk_bytes blob);
void crk_indexed_batch_set_save_point(crk_indexed_batch *batch);
crk_status crk_indexed_batch_rollback_to_save_point(crk_indexed_batch *batch);
crk_status crk_indexed_batch_pop_save_point(crk_indexed_batch *batch);
void crk_indexed_batch_clear(crk_indexed_batch *batch);
uint32_t crk_indexed_batch_count(crk_indexed_batch *batch);
crk_bytes crk_indexed_batch_data(crk_indexed_batch *batch);  // lent until the batch changes
crk_status crk_indexed_batch_write(crk_indexed_batch *batch, const crk_write_options *options);

// The state of a key in the batch alone. With CRK_FOUND, `found` receives the value.
typedef enum crk_found { CRK_NOT_IN_BATCH, CRK_FOUND, CRK_DELETED, CRK_MERGED } crk_found;
crk_status crk_indexed_batch_look_up(crk_indexed_batch *batch, crk_column_family *family, crk_bytes key, crk_found *outcome, void *context,
    crk_sink found);

// The index of a column family, in its order or in reverse, starting at the first entry at or after `from`, if it is given.
crk_status crk_indexed_batch_entries(crk_indexed_batch *batch, crk_column_family *family, bool reversed, bool has_from, crk_bytes from,
    void *context, crk_record_sink each);
// All operations, in the order in which they were added.
crk_status crk_indexed_batch_operations(crk_indexed_batch *batch, void *context, crk_record_sink each);

// The batch layered over the database; `options` may name a snapshot.
crk_status crk_indexed_batch_get(crk_indexed_batch *batch, crk_column_family *family, const crk_read_options *options, crk_bytes key,
    crk_value *value, crk_bytes *bytes);
crk_status crk_indexed_batch_multi_get(crk_indexed_batch *batch, crk_column_family *family, const crk_read_options *options, size_t count,
    const crk_bytes *CRK_NULLABLE keys, bool sorted, crk_bytes *bytes, crk_values *CRK_NULLABLE *CRK_NULLABLE values);
crk_status crk_indexed_batch_key_may_exist(crk_indexed_batch *batch, crk_column_family *family, const crk_read_options *options,
    crk_bytes key, bool *may_exist);
crk_status crk_indexed_batch_cursor(crk_indexed_batch *batch, crk_column_family *family, const crk_read_options *options,
    const crk_range *range, crk_cursor *CRK_NULLABLE *CRK_NULLABLE cursor);

CRK_END

#endif
