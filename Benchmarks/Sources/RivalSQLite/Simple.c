#include "Rival.h"

#include <stdlib.h>
#include <string.h>

int rival_sqlite_simple_insert(const char *path, size_t count, rival_sum *sum) {
    static const char title[] = "Test Song";
    sqlite3 *db;
    sqlite3_stmt *insert = NULL;
    int code = rival_sqlite_open(path, &db);
    if (code) return code;
    THEN(sqlite3_exec(db, "BEGIN", NULL, NULL, NULL));
    THEN(rival_sqlite_prepare(db, "INSERT INTO song (title, seconds) VALUES (?, ?)", &insert));
    for (size_t i = 0; i < count && !code; i++) {
        THEN(sqlite3_bind_text(insert, 1, title, sizeof title - 1, SQLITE_STATIC));
        THEN(sqlite3_bind_int64(insert, 2, (int64_t)i));
        THEN(rival_sqlite_run(insert));
        sum->count++;
        sum->seconds += i;
        sum->letters += sizeof title - 1;
    }
    sqlite3_finalize(insert);
    THEN(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL));
    return rival_sqlite_close(db, code);
}

char *rival_sqlite_text(sqlite3_stmt *statement, int column) {
    const unsigned char *text = sqlite3_column_text(statement, column);
    size_t size = (size_t)sqlite3_column_bytes(statement, column);
    char *copy = text ? malloc(size + 1) : NULL;
    if (copy) memcpy(copy, text, size + 1);
    return copy;
}

int rival_sqlite_read_songs(sqlite3 *db, songs *songs) {
    sqlite3_stmt *select;
    size_t room = 0;
    int code = rival_sqlite_prepare(db, "SELECT id, title, seconds FROM song ORDER BY id", &select);
    if (code) return code;
    while ((code = sqlite3_step(select)) == SQLITE_ROW) {
        if (songs->count == room) {
            room = room ? room * 2 : 1024;
            song *more = realloc(songs->items, room * sizeof *more);
            if (!more) {
                code = SQLITE_NOMEM;
                break;
            }
            songs->items = more;
        }
        char *title = rival_sqlite_text(select, 1);
        if (!title) {
            code = SQLITE_NOMEM;
            break;
        }
        songs->items[songs->count++] =
            (song){.id = sqlite3_column_int64(select, 0), .title = title, .seconds = sqlite3_column_int64(select, 2)};
    }
    sqlite3_finalize(select);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

void rival_sqlite_free_songs(songs *songs) {
    for (size_t i = 0; i < songs->count; i++) free(songs->items[i].title);
    free(songs->items);
}

int rival_sqlite_simple_fetch(const char *path, rival_sum *sum) {
    sqlite3 *db;
    songs songs = {0};
    int code = rival_sqlite_open(path, &db);
    if (code) return code;
    THEN(rival_sqlite_read_songs(db, &songs));
    for (size_t i = 0; i < songs.count && !code; i++) {
        sum->count++;
        sum->seconds += (uint64_t)songs.items[i].seconds;
        sum->letters += strlen(songs.items[i].title);
    }
    rival_sqlite_free_songs(&songs);
    return rival_sqlite_close(db, code);
}
