// What tests need of the system that Swift cannot do: stopping after each store to memory, seeing which files are synced, and (preallocation.c) files in
// memory that are as cheap to make as on a disk.

#ifndef C_TEST_SUPPORT_H
#define C_TEST_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Stores to memory

/// Whether stores can be watched here: on Linux with an x86-64 processor.
bool cts_can_watch(void);

/// Begins to copy `count` bytes at `start`, both multiples of the page size, after each store that changes them, for at most `limit` stores. Returns
/// an errno, or 0. One range at a time, to which one thread alone may write.
int cts_watch(void *start, size_t count, size_t limit);

/// Ends watching and returns how many stores there were, also beyond the limit.
size_t cts_end_watch(void);

/// The bytes after the store with the number `index`, until `cts_free_copies`.
const uint8_t *cts_copy(size_t index);

/// Frees the copies.
void cts_free_copies(void);

// MARK: Syncs

enum { CTS_PATH_SIZE = 256 };

/// Whether syncs are recorded here: on Linux.
bool cts_records_syncs(void);

/// Makes each sync of the process take longer from now on, as on a slow disk.
void cts_delay_syncs(unsigned microseconds);

/// From now on, each fsync and fdatasync of the process is recorded; returns the number of the next one. Several may record at once.
size_t cts_begin_syncs(void);

/// The number of the next sync, in a recording.
size_t cts_count_syncs(void);

/// Ends this recording. If it was the last, the next one starts over.
void cts_end_syncs(void);

/// Copies the path of the file that a sync was for; returns whether it was kept: 65,536 are.
bool cts_sync(size_t index, char path[CTS_PATH_SIZE]);

#endif
