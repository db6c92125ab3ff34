// Snapshots
#ifndef CROCKS_SNAPSHOTS_H
#define CROCKS_SNAPSHOTS_H

#include "CRocksDatabase.h"

CRK_BEGIN

crk_status crk_snapshot_create(crk_db *db, crk_snapshot *CRK_NULLABLE *CRK_NULLABLE snapshot);
uint64_t crk_snapshot_sequence_number(const crk_snapshot *snapshot);
// Waits for reads in flight; idempotent. Cursors made from it continue to work: they hold what they read.
void crk_snapshot_release(crk_snapshot *snapshot);
bool crk_snapshot_is_released(const crk_snapshot *snapshot);
void crk_snapshot_free(crk_snapshot *snapshot);

CRK_END

#endif
