// The rival: each workload as a C program would do it with libcdb (tinycdb). Whole loops, so that no crossing is paid per row.
//
// Keys have 16 bytes and lie one behind the other. Values are 100 bytes: the template, with the row's number in its first 8. Functions return
// false, with `errno`, on failure. Checksums add up the first 8 bytes of what is read.
#ifndef RIVAL_CDB_H
#define RIVAL_CDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rival_cdb rival_cdb;

// The library's version.
const char *rival_cdb_version(void);

// Writes `count` records to a file beside `path`, then renames it. With `synced`, as safely as Cairn's `.synced`.
bool rival_cdb_create(const char *path, const uint8_t *keys, size_t count, const uint8_t *value, bool synced);

// NULL on failure. The file is mapped.
rival_cdb *rival_cdb_open(const char *path);
void rival_cdb_close(rival_cdb *db);

// Looks up each key; adds up the values' first bytes and counts what is missing.
bool rival_cdb_get(rival_cdb *db, const uint8_t *keys, size_t count, uint64_t *sum, uint64_t *missing);
// As above, copying each value to memory of its own.
bool rival_cdb_get_owned(rival_cdb *db, const uint8_t *keys, size_t count, uint64_t *sum);
// Walks over all records.
bool rival_cdb_scan(rival_cdb *db, uint64_t *sum, uint64_t *count);
// Opens, looks up one key and closes, `times` times.
bool rival_cdb_open_often(const char *path, const uint8_t *key, size_t times, uint64_t *sum);
// Looks up each key without a mapping.
bool rival_cdb_seek(const char *path, const uint8_t *keys, size_t count, uint64_t *sum);

#endif
