// The files of the layer below SQLite.
#pragma once

#include <sqlite3.h>
#include <stdint.h>
#include <sys/stat.h>

// The frames of a log that are not written yet.
struct frames {
    // Frames, and the head of one; allocated when the first is written.
    uint8_t *bytes;
    int count;
    // Where they belong.
    sqlite3_int64 offset;
    // The end of the frames that this connection has appended since the log began, or where it appends next; 0 if it is unknown.
    sqlite3_int64 end;
    // Where the page belongs whose head was written last, by itself; 0 if something else was.
    sqlite3_int64 page;
};

// What a database that is read as it is was when it was opened.
struct still {
    // Null for all others.
    const char *path;
    struct stat status;
};

// A database or a log. SQLite's own file follows it in memory.
struct layered {
    sqlite3_file file;
    struct frames frames;
    struct still still;
};

static inline sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((char *)file + sizeof(struct layered)); }

// What only SQLite's own file does.
int cairn_file_lock(sqlite3_file *file, int level);
int cairn_file_unlock(sqlite3_file *file, int level);
int cairn_file_is_reserved(sqlite3_file *file, int *result);
int cairn_file_control(sqlite3_file *file, int code, void *argument);
int cairn_file_sector_size(sqlite3_file *file);
int cairn_file_characteristics(sqlite3_file *file);
