#include "Rival.h"

#include <stdlib.h>
#include <string.h>

struct rival_library {
    sqlite3 *db;
    songs songs;
};

static void release(rival_library *library) {
    rival_sqlite_free_songs(&library->songs);
    free(library);
}

int rival_sqlite_load(const char *path, rival_library **result) {
    rival_library *library = calloc(1, sizeof *library);
    if (!library) return SQLITE_NOMEM;
    int code = rival_sqlite_open(path, &library->db);
    THEN(rival_sqlite_read_songs(library->db, &library->songs));
    if (code) {
        sqlite3_close(library->db);
        release(library);
        return code;
    }
    *result = library;
    return SQLITE_OK;
}

int rival_sqlite_update(rival_library *library, const char *title, rival_sum *sum) {
    sqlite3 *db = library->db;
    sqlite3_stmt *update = NULL;
    size_t size = strlen(title);
    int code = sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
    THEN(rival_sqlite_prepare(db, "UPDATE song SET title = ? WHERE id = ?", &update));
    for (size_t i = 0; i < library->songs.count && !code; i += 3) {
        song *song = &library->songs.items[i];
        char *copy = realloc(song->title, size + 1);
        if (!copy) {
            code = SQLITE_NOMEM;
            break;
        }
        song->title = memcpy(copy, title, size + 1);
        THEN(sqlite3_bind_text(update, 1, song->title, (int)size, SQLITE_STATIC));
        THEN(sqlite3_bind_int64(update, 2, song->id));
        THEN(rival_sqlite_run(update));
        sum->count += (uint64_t)sqlite3_changes(db);
        sum->seconds += (uint64_t)song->seconds;
        sum->letters += size;
    }
    sqlite3_finalize(update);
    THEN(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL));
    release(library);
    return rival_sqlite_close(db, code);
}
