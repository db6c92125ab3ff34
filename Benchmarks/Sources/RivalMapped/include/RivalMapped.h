// The rival: a mapped store of the same design in C, for what the design costs and what Swift and the rest of Cairn add to it. Whole loops.
//
// The same: records with CRC32C that are appended, a seeded hash, an index of 8-byte slots, pending end and end, totals with their sum, a robust
// lock that processes share, stores in Cairn's order, compaction into a new file that takes the name. Left out: sharing with processes while the
// file is replaced or outgrows its mapping, encryption, expiry, listeners, recovery, damage but for the checksum of what is read.
//
// Keys have 12 bytes and lie one behind the other; `order` says which to use. Functions return 0 or an error number. Sums add up integers, or the
// first 8 bytes of strings; what is missing counts in `missing`.
#ifndef RIVAL_MAPPED_H
#define RIVAL_MAPPED_H

#include <stddef.h>
#include <stdint.h>

typedef struct rival_mapped rival_mapped;

// Opens the store, creating it if there is none.
int rival_mapped_open(const char *path, rival_mapped **store);
void rival_mapped_close(rival_mapped *store);

// Sets `base + order[i]` as an integer of 8 bytes for each key.
int rival_mapped_set_ints(rival_mapped *store, const uint8_t *keys, const uint32_t *order, size_t count, uint64_t base);
// Sets `value`, `size` bytes, for each key.
int rival_mapped_set_strings(rival_mapped *store, const uint8_t *keys, const uint32_t *order, size_t count, const uint8_t *value, size_t size);
// Reads each key, lent.
int rival_mapped_get(rival_mapped *store, const uint8_t *keys, const uint32_t *order, size_t count, uint64_t *sum, uint64_t *missing);
// The same, each value copied to memory of its own.
int rival_mapped_get_owned(
    rival_mapped *store, const uint8_t *keys, const uint32_t *order, size_t count, uint64_t *sum, uint64_t *missing);
// Opens, reads a key and closes, `times` times.
int rival_mapped_open_often(const char *path, const uint8_t *key, size_t times, uint64_t *sum);

#endif
