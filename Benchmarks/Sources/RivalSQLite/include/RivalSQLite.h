// The rival: each program as a careful C programmer writes it with SQLite. Prepared statements, one transaction, WAL. Whole programs, so that
// no crossing is paid per row.
//
// Each opens the file and closes it, which checkpoints; what was fetched is in structs with strings of their own and is freed. Functions return
// SQLite's result code, 0 if all went well.
#ifndef RIVAL_SQLITE_H
#define RIVAL_SQLITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rival_settings {
    bool is_synced;   // SQLite's setting `synchronous` is NORMAL, not OFF
    bool is_checked;  // foreign keys are enforced, as GRDB does unless told otherwise
} rival_settings;

// What was read or written.
typedef struct rival_sum {
    uint64_t count;    // songs, or references to them
    uint64_t seconds;  // of all songs
    uint64_t letters;  // bytes of all titles
    uint64_t order;    // of each playlist: each position, from 1, times the song's number, from 0
} rival_sum;

// Songs "Test Song", seconds 0, 1, 2 …, into a new file.
int rival_sqlite_simple_insert(const char *path, rival_settings settings, size_t songs, rival_sum *sum);
// Reads all songs of a file into an array, then adds up their fields.
int rival_sqlite_simple_fetch(const char *path, rival_settings settings, rival_sum *sum);

// Songs "Test Song <number>" and playlists "Test Playlist" of so many consecutive songs each, into a new file.
int rival_sqlite_complex_insert(const char *path, rival_settings settings, size_t playlists, size_t songs_each, rival_sum *sum);
// Reads all playlists with the numbers of their songs in order, then the title of the first song of each.
int rival_sqlite_complex_fetch(const char *path, rival_settings settings, rival_sum *sum);

// Opens a file and reads all its songs.
typedef struct rival_library rival_library;
int rival_sqlite_load(const char *path, rival_settings settings, rival_library **library);
// Gives the first song and each third after it a new title, commits, frees the library and closes the file.
int rival_sqlite_update(rival_library *library, const char *title, rival_sum *sum);

// What a result code means.
const char *rival_sqlite_message(int code);

#endif
