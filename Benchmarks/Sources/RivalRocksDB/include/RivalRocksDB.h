// The workloads written in C++ against RocksDB itself. Each call runs a whole loop; nothing crosses a language border per row.
//
// Row r has the key BE64(r / 1000) BE64(r % 1000): 16 bytes, 1,000 rows to a prefix of 8, ascending with r. Its value is a template of
// 100 bytes whose first 8 hold r in the machine's order.
// The checksum of a read adds, for each value, its first 8 bytes and its length; scans add the last 8 bytes of the key too.
#ifndef RIVAL_ROCKSDB_H
#define RIVAL_ROCKSDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define RIVAL_NULLABLE _Nullable
#else
#define RIVAL_NULLABLE
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rival rival;

// What the column family has of ours: an order of keys by their two numbers, a merge that adds 8-byte numbers, a compaction filter that removes
// each third row. Or a database opened for transactions with locks.
typedef enum rival_extension { RIVAL_PLAIN, RIVAL_COMPARATOR, RIVAL_MERGE, RIVAL_FILTER, RIVAL_TRANSACTIONS } rival_extension;

// With `secondary`, a directory for its text log, the database is only followed.
// Options as RocksDB's option text ("a=1;b=2"). NULL on failure; `rival_error(NULL)` says why.
rival *RIVAL_NULLABLE rival_open(const char *path, const char *RIVAL_NULLABLE secondary, const char *db_options, const char *family_options,
    const char *table_options, size_t block_cache_bytes, rival_extension extension, const void *value_template, size_t value_size);
void rival_close(rival *rival);
// What went wrong in the last call that returned false.
const char *rival_error(const rival *RIVAL_NULLABLE rival);

// The rows to touch, in this order.
typedef struct rival_rows {
    const uint32_t *RIVAL_NULLABLE numbers;
    size_t count;
} rival_rows;

// Reads what the process that is followed has written.
bool rival_catch_up(rival *rival);
// Writes the files and compacts everything into the lowest level.
bool rival_compact(rival *rival);

bool rival_put(rival *rival, rival_rows rows);
bool rival_put_batches(rival *rival, rival_rows rows, size_t batch_size);
bool rival_merge(rival *rival, rival_rows rows);  // adds each row's number to the value of row number % 1000
// Transactions of so many rows, each sought for update and put.
bool rival_transactions(rival *rival, rival_rows rows, size_t size);
// Indexed batches of so many rows, each put, then all read over the database, then written.
bool rival_indexed_batches(rival *rival, rival_rows rows, size_t size);
bool rival_get(rival *rival, rival_rows rows, uint64_t *checksum);        // a reused PinnableSlice
bool rival_get_owned(rival *rival, rival_rows rows, uint64_t *checksum);  // a std::string per row
bool rival_get_missing(rival *rival, rival_rows rows, uint64_t *checksum);
bool rival_multi_get(rival *rival, rival_rows rows, size_t batch_size, uint64_t *checksum);
bool rival_scan(rival *rival, uint64_t *checksum);
bool rival_scan_prefixes(rival *rival, rival_rows prefixes, uint64_t *checksum);

#ifdef __cplusplus
}
#endif

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
