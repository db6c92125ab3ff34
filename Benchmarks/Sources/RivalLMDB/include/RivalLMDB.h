// The rival: each workload as a C program would do it with LMDB. Whole loops, so that no crossing is paid per operation.
//
// Keys have 12 bytes and lie one behind the other; `order` says which to use. Functions return 0 or LMDB's error. Sums add up integers, or the
// first 8 bytes of strings; what is missing counts in `missing`.
#ifndef RIVAL_LMDB_H
#define RIVAL_LMDB_H

#include <stddef.h>
#include <stdint.h>

typedef struct rival_lmdb rival_lmdb;

// The library's version.
const char *rival_lmdb_version(void);

// NOSYNC and WRITEMAP: as durable as Cairn's `.buffered`.
int rival_lmdb_open(const char *path, rival_lmdb **db);
void rival_lmdb_close(rival_lmdb *db);

// Puts `base + order[i]` as an integer of 8 bytes under each key, a transaction each.
int rival_lmdb_set_ints(rival_lmdb *db, const uint8_t *keys, const uint32_t *order, size_t count, uint64_t base);
// Puts `value`, `size` bytes, under each key, a transaction each.
int rival_lmdb_set_strings(rival_lmdb *db, const uint8_t *keys, const uint32_t *order, size_t count, const uint8_t *value, size_t size);
// Reads each key within one transaction, lent.
int rival_lmdb_get(rival_lmdb *db, const uint8_t *keys, const uint32_t *order, size_t count, uint64_t *sum, uint64_t *missing);
// The same, each value copied to memory of its own.
int rival_lmdb_get_owned(rival_lmdb *db, const uint8_t *keys, const uint32_t *order, size_t count, uint64_t *sum, uint64_t *missing);
// Opens, reads a key and closes, `times` times.
int rival_lmdb_open_often(const char *path, const uint8_t *key, size_t times, uint64_t *sum);

#endif
