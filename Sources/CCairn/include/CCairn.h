// Small C helpers for CairnCore. Every symbol starts with `cairn_`; only <stddef.h> and <stdint.h> are included.
// Nothing here keeps a pointer after it returns, and every function may be called from any thread.
#ifndef CCAIRN_H
#define CCAIRN_H

#include <stddef.h>
#include <stdint.h>

// CRC32C: continues `checksum` (0 to begin) over `count` bytes. `bytes` may be NULL when `count` is 0.

// With the processor's instruction where it has one, else with tables.
uint32_t cairn_crc32c(uint32_t checksum, const void *bytes, size_t count);
// With tables, on any processor.
uint32_t cairn_crc32c_software(uint32_t checksum, const void *bytes, size_t count);
// 1 where this processor has CRC32C instructions, else 0.
int cairn_crc32c_has_hardware(void);

// Files: what Swift cannot call (variadic functions, macros) or what differs between C libraries.

// Writes the system's words for `error` to `text`, ended by a zero byte.
void cairn_error_text(int error, char *text, size_t capacity);

// Locks the whole file without or with waiting; returns 0, or -1 with `errno` (EAGAIN where another holds a lock).
// Linux: open file description locks. Elsewhere: flock.
int cairn_lock(int descriptor, int exclusive, int waits);
int cairn_unlock(int descriptor);

// Memory: fetches the line that holds `address` into the cache, without waiting for it. Any address will do; none is read.
static inline void cairn_prefetch(const void *address) { __builtin_prefetch(address); }

#endif
