// The rival: each program as a careful C programmer writes it with SQLite. Prepared statements, one transaction, WAL. Whole programs, so that
// no crossing is paid per row. `synchronous` is NORMAL, which survives the death of the process; foreign keys are enforced, as GRDB does.
//
// Each opens the file and closes it, which checkpoints; what was fetched is in structs with strings of their own and is freed. Functions return
// SQLite's result code, 0 if all went well.
#ifndef RIVAL_SQLITE_H
#define RIVAL_SQLITE_H

#include "RivalAlbums.h"
#include "RivalItems.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What was read or written.
typedef struct rival_sum {
    uint64_t count;    // songs, or references to them
    uint64_t seconds;  // of all songs
    uint64_t letters;  // bytes of all titles
    uint64_t order;    // of each playlist: each position, from 1, times the song's number, from 0
} rival_sum;

// Songs "Test Song", seconds 0, 1, 2 …, into a new file.
int rival_sqlite_simple_insert(const char *path, size_t songs, rival_sum *sum);
// Reads all songs of a file into an array, then adds up their fields.
int rival_sqlite_simple_fetch(const char *path, rival_sum *sum);

// Songs "Test Song <number>" and playlists "Test Playlist" of so many consecutive songs each, into a new file.
int rival_sqlite_complex_insert(const char *path, size_t playlists, size_t songs_each, rival_sum *sum);
// Reads all playlists with the numbers of their songs in order, then the title of the first song of each.
int rival_sqlite_complex_fetch(const char *path, rival_sum *sum);

// Opens a file and reads all its songs.
typedef struct rival_library rival_library;
int rival_sqlite_load(const char *path, rival_library **library);
// Gives the first song and each third after it a new title, commits, frees the library and closes the file.
int rival_sqlite_update(rival_library *library, const char *title, rival_sum *sum);

// Makes a new file with one playlist of `count` songs, in the order of their numbers.
typedef struct rival_list rival_list;
int rival_sqlite_list_make(const char *path, size_t count, rival_list **list);
// Inserts the song with a number, at a position, in one transaction; both count from 0. The songs from there on shift by one.
int rival_sqlite_list_insert(rival_list *list, size_t position, size_t song);
// Counts the places, and adds up their order.
int rival_sqlite_list_sum(rival_list *list, rival_sum *sum);
int rival_sqlite_list_close(rival_list *list);

// Names in a table, some with a text index: FTS5 with the trigram tokenizer.
typedef struct rival_texts rival_texts;
int rival_sqlite_texts_open(const char *path, rival_texts **texts);
int rival_sqlite_texts_close(rival_texts *texts);
// Adds names, one behind the other with where each ends, in one transaction: to the table that is searched, or to the other.
int rival_sqlite_texts_insert(rival_texts *texts, const char *names, const uint32_t *ends, size_t count, bool is_searched);
// Counts the names that a query of FTS5's finds, and adds up their places, from 0.
int rival_sqlite_texts_query(rival_texts *texts, const char *match, uint64_t *count, uint64_t *sum);
// Reads the first so many of them, and adds up their bytes.
int rival_sqlite_texts_first(rival_texts *texts, const char *match, size_t limit, uint64_t *count, uint64_t *letters);
// The bytes of all pages in use.
int rival_sqlite_texts_size(rival_texts *texts, uint64_t *bytes);

// The library's version.
const char *rival_sqlite_version(void);
// What a result code means.
const char *rival_sqlite_message(int code);

#endif
