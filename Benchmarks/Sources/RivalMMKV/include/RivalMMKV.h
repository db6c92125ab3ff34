// The rival: each workload as a C++ program would do it with MMKV. Whole loops, so that no crossing is paid per operation.
//
// Keys have 12 bytes and lie one behind the other; `order` says which to use. Functions return whether MMKV did it. Sums add up integers, or the
// first 8 bytes of strings; what is missing counts in `missing`.
#ifndef RIVAL_MMKV_H
#define RIVAL_MMKV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rival_mmkv rival_mmkv;

// The library's version.
const char *rival_mmkv_version(void);

// A store of its own in `directory`, which must exist; with `is_shared`, one that other processes may use too. NULL if there is none.
rival_mmkv *rival_mmkv_open(const char *directory, bool is_shared);
void rival_mmkv_close(rival_mmkv *store);

// Sets `base + order[i]` as an integer of 8 bytes for each key.
bool rival_mmkv_set_ints(rival_mmkv *store, const uint8_t *keys, const uint32_t *order, size_t count, uint64_t base);
// Sets `value`, `size` bytes, for each key.
bool rival_mmkv_set_strings(rival_mmkv *store, const uint8_t *keys, const uint32_t *order, size_t count, const uint8_t *value, size_t size);
// Reads each key as an integer.
void rival_mmkv_get_ints(
    rival_mmkv *store, const uint8_t *keys, const uint32_t *order, size_t count, uint64_t *sum, uint64_t *missing);
// Reads each key as a string of its own.
void rival_mmkv_get_strings(
    rival_mmkv *store, const uint8_t *keys, const uint32_t *order, size_t count, uint64_t *sum, uint64_t *missing);

#ifdef __cplusplus
}
#endif

#endif
