#include "Rival.h"

#include <stdlib.h>

struct rival_list {
    sqlite3 *db;
    sqlite3_stmt *begin, *away, *back, *insert, *select, *commit;
};

static int fill(rival_list *list, size_t count) {
    sqlite3 *db = list->db;
    sqlite3_stmt *song = NULL;
    int code = sqlite3_exec(db, "BEGIN; INSERT INTO playlist (id, title) VALUES (1, 'Test Playlist')", NULL, NULL, NULL);
    THEN(rival_sqlite_prepare(db, "INSERT INTO song (id, title, seconds) VALUES (?, 'Test Song', 0)", &song));
    for (size_t i = 0; i < count && !code; i++) {
        THEN(sqlite3_bind_int64(song, 1, (int64_t)i + 1));
        THEN(rival_sqlite_run(song));
        THEN(sqlite3_bind_int64(list->insert, 1, (int64_t)i));
        THEN(sqlite3_bind_int64(list->insert, 2, (int64_t)i + 1));
        THEN(rival_sqlite_run(list->insert));
    }
    sqlite3_finalize(song);
    THEN(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL));
    return code;
}

int rival_sqlite_list_make(const char *path, size_t count, rival_list **result) {
    rival_list *list = calloc(1, sizeof *list);
    if (!list) return SQLITE_NOMEM;
    int code = rival_sqlite_open(path, &list->db);
    THEN(rival_sqlite_prepare(list->db, "BEGIN", &list->begin));
    // A position is unique at every moment, so those that move are negative meanwhile.
    THEN(rival_sqlite_prepare(list->db, "UPDATE entry SET position = -position - 1 WHERE playlist = 1 AND position >= ?", &list->away));
    THEN(rival_sqlite_prepare(list->db, "UPDATE entry SET position = -position WHERE playlist = 1 AND position < 0", &list->back));
    THEN(rival_sqlite_prepare(list->db, "INSERT INTO entry (playlist, position, song) VALUES (1, ?, ?)", &list->insert));
    THEN(rival_sqlite_prepare(list->db, "SELECT song FROM entry WHERE playlist = 1 ORDER BY position", &list->select));
    THEN(rival_sqlite_prepare(list->db, "COMMIT", &list->commit));
    THEN(fill(list, count));
    if (code) {
        rival_sqlite_list_close(list);
        return code;
    }
    *result = list;
    return SQLITE_OK;
}

int rival_sqlite_list_insert(rival_list *list, size_t position, size_t song) {
    int code = rival_sqlite_run(list->begin);
    THEN(sqlite3_bind_int64(list->away, 1, (int64_t)position));
    THEN(rival_sqlite_run(list->away));
    THEN(rival_sqlite_run(list->back));
    THEN(sqlite3_bind_int64(list->insert, 1, (int64_t)position));
    THEN(sqlite3_bind_int64(list->insert, 2, (int64_t)song + 1));
    THEN(rival_sqlite_run(list->insert));
    THEN(rival_sqlite_run(list->commit));
    return code;
}

int rival_sqlite_list_sum(rival_list *list, rival_sum *sum) {
    int code;
    while ((code = sqlite3_step(list->select)) == SQLITE_ROW) {
        sum->count++;
        sum->order += sum->count * (uint64_t)(sqlite3_column_int64(list->select, 0) - 1);
    }
    sqlite3_reset(list->select);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int rival_sqlite_list_close(rival_list *list) {
    sqlite3_stmt *statements[] = {list->begin, list->away, list->back, list->insert, list->select, list->commit};
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) sqlite3_finalize(statements[i]);
    int code = sqlite3_close(list->db);
    free(list);
    return code;
}
