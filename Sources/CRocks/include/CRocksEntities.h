// Entities: named columns under one key (RocksDB's wide columns).
#ifndef CROCKS_ENTITIES_H
#define CROCKS_ENTITIES_H

#include "CRocksCursors.h"
#include "CRocksWriting.h"

CRK_BEGIN

typedef struct crk_column {
    crk_bytes name, value;
} crk_column;

// The names must differ; their order does not matter.
crk_status crk_put_entity(crk_column_family *family, const crk_write_options *options, crk_bytes key,
    const crk_column *CRK_NULLABLE columns, size_t count);
crk_status crk_batch_put_entity(crk_batch *batch, crk_column_family *CRK_NULLABLE family, crk_bytes key,
    const crk_column *CRK_NULLABLE columns, size_t count);

// Like `crk_get`. On success the columns, sorted by name, are lent until `crk_entity_release`. A plain value is one column without a name.
typedef struct crk_entity crk_entity;
crk_status crk_get_entity(crk_column_family *family, const crk_read_options *options, crk_bytes key,
    crk_entity *CRK_NULLABLE *CRK_NULLABLE entity, const crk_column *CRK_NULLABLE *CRK_NULLABLE columns, size_t *count);
void crk_entity_release(crk_entity *entity);

// The columns of an entity in RocksDB's encoding, one by one.
crk_status crk_read_entity(crk_bytes entity, void *context, crk_pair_sink each);

// The columns of the entry at the cursor; lent until its next move.
crk_status crk_cursor_columns(crk_cursor *cursor, const crk_column *CRK_NULLABLE *CRK_NULLABLE columns, size_t *count);

CRK_END

#endif
