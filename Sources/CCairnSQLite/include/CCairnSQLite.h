// Checksums for the pages of SQLite's files, which it has none of.
#pragma once

#include <stdint.h>

// The size of the pages that are checked, and how many bytes at their ends SQLite must leave free.
#define CAIRN_SQLITE_PAGE_SIZE 8192
#define CAIRN_SQLITE_RESERVED 8

// Registers the file layer with SQLite, and returns its name; null if there is no memory. Call it once.
//
// It is SQLite's own layer, except for database files: it writes a checksum (CRC32C, of the page's number and content) to the end of each page, and compares it
// when it reads a whole page. If they differ, reading fails with SQLITE_IOERR_DATA. A log has the pages without checksums until they are moved to the file: SQLite's
// own are checked when a log is recovered. No file is mapped.
const char *cairn_sqlite_register(void);

// The name of another layer, registered with the first: for reading a file as it is, without locks, and without creating a log or its index. SQLite takes
// the file for one that nobody changes; reading fails with CAIRN_SQLITE_CHANGED once somebody has. It opens only what is settled.
#define CAIRN_SQLITE_STILL "cairn-still"
// An extended result code of SQLITE_IOERR that SQLite itself does not use. The Swift code repeats it.
#define CAIRN_SQLITE_CHANGED (10 | 200 << 8)

// It has a log, or cannot be examined.
#define CAIRN_SQLITE_LOGGED 1
// It was not changed lately: the time of any later change differs from the one that the file has.
#define CAIRN_SQLITE_SETTLED 2
// Opening it in the ordinary way creates a log that belongs to another user than the file, whose owner could then no longer write to the store.
#define CAIRN_SQLITE_OF_OTHERS 4

// What matters for opening the file at a path without symbolic links for reading only: flags.
int cairn_sqlite_look(const char *path);

// Whether a file of that layer, a `sqlite3_file *`, is what it was when it was opened, and has no log.
int cairn_sqlite_is_still(void *file);

// Whether this user may write to the file at a path; also if there is none.
int cairn_sqlite_may_write(const char *path);

// Renames a file where nothing exists yet. Returns 0 or the error number.
int cairn_sqlite_rename(const char *path, const char *destination);
