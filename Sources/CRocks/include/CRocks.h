// CRocks: RocksDB's C++ interface as plain C, for CairnRocks alone.
//
// Conventions
// - Every symbol starts with `crk_`. Structs without a body are opaque C++ objects.
// - Bytes cross as pointer + length. `crk_bytes` handed in are read during the call and never kept; `crk_bytes` handed out are lent,
//   and the function's comment says until when.
// - Every fallible call returns a `crk_status` whole: code, subcode, severity, retryable, message. No exception crosses.
//   A status with a message must go through `crk_status_free`.
// - Calls on `crk_db` and `crk_column_family` may run on any thread at once. Closing waits for calls in flight and refuses while something
//   lent or hanging off the database lives. Batches and cursors belong to one thread at a time.
// - What would trip one of RocksDB's asserts (Debian builds with them on) is refused here with CRK_REFUSED.
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
