#include "Rival.h"

// A playlist's songs in order are a range of the table itself; the index leads from a song to its playlists, which deleting a song needs.
static const char tables[] =
    "CREATE TABLE IF NOT EXISTS song (id INTEGER PRIMARY KEY, title TEXT NOT NULL, seconds INTEGER NOT NULL);"
    "CREATE TABLE IF NOT EXISTS playlist (id INTEGER PRIMARY KEY, title TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS entry ("
    "  playlist INTEGER NOT NULL REFERENCES playlist(id) ON DELETE CASCADE,"
    "  position INTEGER NOT NULL,"
    "  song INTEGER NOT NULL REFERENCES song(id) ON DELETE CASCADE,"
    "  PRIMARY KEY (playlist, position)"
    ") WITHOUT ROWID;"
    "CREATE INDEX IF NOT EXISTS entry_song ON entry(song);";

int rival_sqlite_open(const char *path, sqlite3 **db) {
    // Debian's library overwrites what is deleted with zeros unless it is told not to.
    static const char pragmas[] =
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = OFF;";
    int code = sqlite3_open_v2(path, db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    THEN(sqlite3_exec(*db, pragmas, NULL, NULL, NULL));
    THEN(sqlite3_exec(*db, tables, NULL, NULL, NULL));
    if (code != SQLITE_OK) {
        sqlite3_close(*db);
        *db = NULL;
    }
    return code;
}

int rival_sqlite_close(sqlite3 *db, int code) {
    int closed = sqlite3_close(db);
    return code ? code : closed;
}

int rival_sqlite_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **statement) { return sqlite3_prepare_v2(db, sql, -1, statement, NULL); }

int rival_sqlite_run(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    if (code != SQLITE_DONE) return code;
    return sqlite3_reset(statement);
}

const char *rival_sqlite_message(int code) { return sqlite3_errstr(code); }

const char *rival_sqlite_version(void) { return sqlite3_libversion(); }
