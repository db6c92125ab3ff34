// What the programs share.
#pragma once

#include "RivalSQLite.h"

#include <sqlite3.h>

// Stops at the first failure: every step of a program is `if (!code) code = …`.
#define THEN(step) \
    if (code == SQLITE_OK) code = (step)

// Opens a file, made if it is not there, with the tables.
int rival_sqlite_open(const char *path, sqlite3 **db);
// Closes the file, which writes the log into it; hands on `code`, or what closing says if that was 0.
int rival_sqlite_close(sqlite3 *db, int code);

int rival_sqlite_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **statement);
// Runs a statement that returns no rows, and makes it ready for the next time.
int rival_sqlite_run(sqlite3_stmt *statement);

typedef struct song {
    int64_t id;
    int64_t seconds;
    char *title;
} song;

typedef struct songs {
    song *items;
    size_t count;
} songs;

// All songs, in the order of their ids.
int rival_sqlite_read_songs(sqlite3 *db, songs *songs);
void rival_sqlite_free_songs(songs *songs);
// Memory of its own for the text of a column; NULL if there is none left.
char *rival_sqlite_text(sqlite3_stmt *statement, int column);
