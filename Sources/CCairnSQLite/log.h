// The file of a write-ahead log, whose frames are written together.
#pragma once

#include <sqlite3.h>
#include <stddef.h>

// The bytes of a log before those of SQLite's own file.
extern const size_t cairn_log_size;

// Opens a log as `layer` does. `file` has room for `cairn_log_size` bytes and for a file of `layer`.
int cairn_log_open(sqlite3_vfs *layer, const char *name, sqlite3_file *file, int flags, int *out);
