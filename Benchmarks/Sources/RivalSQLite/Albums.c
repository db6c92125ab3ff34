#include "RivalAlbums.h"

#include "Rival.h"

#include <stdlib.h>

enum { BEGIN, COMMIT, TRACK, ENTRY, LAST, TAIL, LABELLED, COUNT, CONTAINS, DELETE, WITHOUT, FILE_NAME, STATEMENTS };

struct rival_albums {
    sqlite3 *db;
    sqlite3_stmt *statements[STATEMENTS];
};

static const char *const sql[STATEMENTS] = {
    [BEGIN] = "BEGIN",
    [COMMIT] = "COMMIT",
    [TRACK] = "INSERT INTO track (number, label) VALUES (?, ?)",
    [ENTRY] = "INSERT INTO place (album, position, track) VALUES (1, ?, ?)",
    [LAST] = "SELECT max(position) FROM place WHERE album = 1",
    [TAIL] = "SELECT track.number FROM place JOIN track ON track.id = place.track WHERE album = 1 ORDER BY position DESC LIMIT ?",
    [LABELLED] = "SELECT number FROM track WHERE label = 1 ORDER BY id LIMIT ?",
    [COUNT] = "SELECT count(*) FROM track WHERE label = 1",
    [CONTAINS] = "SELECT EXISTS (SELECT 1 FROM track WHERE id = ? AND label = 1)",
    [DELETE] = "DELETE FROM label WHERE id = 1",
    [WITHOUT] = "SELECT count(*) FROM track WHERE label IS NULL",
    [FILE_NAME] = "UPDATE file SET name = ? WHERE id = 1",
};

// The places of an album in order are a range of their table. The contents of files are apart from what is read and changed often.
static const char tables[] =
    "CREATE TABLE IF NOT EXISTS album (id INTEGER PRIMARY KEY, title TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS label (id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS track ("
    "  id INTEGER PRIMARY KEY, number INTEGER NOT NULL, label INTEGER REFERENCES label(id) ON DELETE SET NULL);"
    "CREATE INDEX IF NOT EXISTS track_label ON track(label);"
    "CREATE TABLE IF NOT EXISTS place ("
    "  album INTEGER NOT NULL REFERENCES album(id) ON DELETE CASCADE, position INTEGER NOT NULL,"
    "  track INTEGER NOT NULL REFERENCES track(id) ON DELETE CASCADE, PRIMARY KEY (album, position)) WITHOUT ROWID;"
    "CREATE INDEX IF NOT EXISTS place_track ON place(track);"
    "CREATE TABLE IF NOT EXISTS file (id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS contents (id INTEGER PRIMARY KEY REFERENCES file(id) ON DELETE CASCADE, bytes BLOB NOT NULL);";

static int execute(rival_albums *albums, const char *text) { return sqlite3_exec(albums->db, text, NULL, NULL, NULL); }

int rival_albums_open(const char *path, rival_albums **result) {
    static const char pragmas[] =
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = OFF;"
        "PRAGMA cache_size = -65536;";
    rival_albums *albums = calloc(1, sizeof *albums);
    if (!albums) return SQLITE_NOMEM;
    int code = sqlite3_open_v2(path, &albums->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    THEN(execute(albums, pragmas));
    THEN(execute(albums, tables));
    for (size_t i = 0; i < STATEMENTS; i++) {
        if (sql[i]) THEN(sqlite3_prepare_v3(albums->db, sql[i], -1, SQLITE_PREPARE_PERSISTENT, &albums->statements[i], NULL));
    }
    if (code) {
        rival_albums_close(albums);
        return code;
    }
    *result = albums;
    return SQLITE_OK;
}

int rival_albums_close(rival_albums *albums) {
    for (size_t i = 0; i < STATEMENTS; i++) sqlite3_finalize(albums->statements[i]);
    int code = sqlite3_close(albums->db);
    free(albums);
    return code;
}

// A track with the label, or without one.
static int insert_track(rival_albums *albums, int64_t number, bool has_label) {
    sqlite3_stmt *insert = albums->statements[TRACK];
    int code = sqlite3_bind_int64(insert, 1, number);
    THEN(has_label ? sqlite3_bind_int64(insert, 2, 1) : sqlite3_bind_null(insert, 2));
    THEN(rival_sqlite_run(insert));
    return code;
}

static int insert_place(rival_albums *albums, int64_t position) {
    sqlite3_stmt *insert = albums->statements[ENTRY];
    int code = sqlite3_bind_int64(insert, 1, position);
    THEN(sqlite3_bind_int64(insert, 2, sqlite3_last_insert_rowid(albums->db)));
    THEN(rival_sqlite_run(insert));
    return code;
}

int rival_albums_fill(rival_albums *albums, size_t tracks) {
    int code = execute(albums, "BEGIN; INSERT INTO album (id, title) VALUES (1, 'Album'); INSERT INTO label (id, name) VALUES (1, 'Label')");
    for (size_t i = 0; i < tracks && !code; i++) {
        code = insert_track(albums, (int64_t)i, true);
        THEN(insert_place(albums, (int64_t)i));
    }
    THEN(execute(albums, "COMMIT"));
    return code;
}

// The first column of a statement's only row.
static int number_of(sqlite3_stmt *statement, int64_t *number) {
    int code = sqlite3_step(statement);
    if (code != SQLITE_ROW) return code == SQLITE_DONE ? SQLITE_NOTFOUND : code;
    *number = sqlite3_column_int64(statement, 0);
    return sqlite3_reset(statement);
}

int rival_albums_append(rival_albums *albums, int64_t number) {
    int64_t last = 0;
    int code = rival_sqlite_run(albums->statements[BEGIN]);
    THEN(insert_track(albums, number, false));
    THEN(number_of(albums->statements[LAST], &last));
    THEN(insert_place(albums, last + 1));
    THEN(rival_sqlite_run(albums->statements[COMMIT]));
    return code;
}

int rival_albums_add(rival_albums *albums, int64_t number) { return insert_track(albums, number, true); }

int rival_albums_tail(rival_albums *albums, size_t count, int64_t *numbers) {
    sqlite3_stmt *select = albums->statements[TAIL];
    int code = sqlite3_bind_int64(select, 1, (int64_t)count);
    while (!code && (code = sqlite3_step(select)) == SQLITE_ROW) {
        numbers[--count] = sqlite3_column_int64(select, 0);
        code = SQLITE_OK;
    }
    sqlite3_reset(select);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int rival_albums_labelled(rival_albums *albums, size_t count, int64_t *numbers) {
    sqlite3_stmt *select = albums->statements[LABELLED];
    int code = sqlite3_bind_int64(select, 1, (int64_t)count);
    while (!code && (code = sqlite3_step(select)) == SQLITE_ROW) {
        *numbers++ = sqlite3_column_int64(select, 0);
        code = SQLITE_OK;
    }
    sqlite3_reset(select);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int rival_albums_count(rival_albums *albums, int64_t *count) { return number_of(albums->statements[COUNT], count); }

int rival_albums_contains(rival_albums *albums, int64_t number, int64_t *contains) {
    int code = sqlite3_bind_int64(albums->statements[CONTAINS], 1, number + 1);
    THEN(number_of(albums->statements[CONTAINS], contains));
    return code;
}

int rival_albums_delete(rival_albums *albums) { return rival_sqlite_run(albums->statements[DELETE]); }

int rival_albums_without_label(rival_albums *albums, int64_t *count) { return number_of(albums->statements[WITHOUT], count); }

int rival_albums_attach(rival_albums *albums, const char *name, const void *contents, size_t size) {
    sqlite3_stmt *insert = NULL;
    int code = execute(albums, "BEGIN; INSERT INTO file (id, name) VALUES (1, '')");
    THEN(rival_sqlite_prepare(albums->db, "INSERT INTO contents (id, bytes) VALUES (1, ?)", &insert));
    THEN(sqlite3_bind_blob64(insert, 1, contents, size, SQLITE_STATIC));
    THEN(rival_sqlite_run(insert));
    THEN(execute(albums, "COMMIT"));
    sqlite3_finalize(insert);
    THEN(rival_albums_rename(albums, name));
    return code;
}

int rival_albums_rename(rival_albums *albums, const char *name) {
    int code = sqlite3_bind_text(albums->statements[FILE_NAME], 1, name, -1, SQLITE_STATIC);
    THEN(rival_sqlite_run(albums->statements[FILE_NAME]));
    return code;
}
