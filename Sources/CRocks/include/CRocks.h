// CRocks: RocksDB's C++ interface as plain C, only for CairnRocks.
//
// Conventions
// - Every symbol starts with `crk_`. Structs without a body are opaque C++ objects.
// - Bytes are passed as pointer and length. A `crk_bytes` argument is read during the call and never kept; a returned `crk_bytes` is lent,
//   and the function's comment says until when.
// - Every fallible call returns a complete `crk_status`: code, subcode, severity, retryable, message. No exception leaves the shim.
//   A status with a message must be freed with `crk_status_free`.
// - `crk_db` and `crk_column_family` may be used on several threads at once. Closing waits for calls in flight, and is refused while
//   objects of the database or lent values are alive. Batches and cursors belong to one thread at a time.
// - Calls that would fail one of RocksDB's asserts (Debian's builds enable them) are refused with CRK_REFUSED.
#ifndef CROCKS_H
#define CROCKS_H

#include "CRocksStatus.h"
#include "CRocksCallbacks.h"
#include "CRocksEvents.h"
#include "CRocksObjects.h"
#include "CRocksOptions.h"
#include "CRocksDatabase.h"
#include "CRocksReading.h"
#include "CRocksCursors.h"
#include "CRocksSnapshots.h"
#include "CRocksWriting.h"
#include "CRocksOperations.h"
#include "CRocksInsight.h"
#include "CRocksLiveOptions.h"
#include "CRocksFiles.h"
#include "CRocksBackup.h"
#include "CRocksSSTFiles.h"
#include "CRocksLogTail.h"
#include "CRocksTransactions.h"
#include "CRocksIndexedBatches.h"
#include "CRocksEntities.h"
#include "CRocksHistory.h"
#include "CRocksEnvironments.h"
#include "CRocksLimits.h"

#endif
