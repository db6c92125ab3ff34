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
