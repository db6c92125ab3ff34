#include "Rival.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int insert_songs(sqlite3 *db, size_t count, int64_t *ids, rival_sum *sum) {
    sqlite3_stmt *insert = NULL;
    int code = rival_sqlite_prepare(db, "INSERT INTO song (title, seconds) VALUES (?, ?)", &insert);
    for (size_t i = 0; i < count && !code; i++) {
        char title[40];
        int size = snprintf(title, sizeof title, "Test Song %zu", i);
        THEN(sqlite3_bind_text(insert, 1, title, size, SQLITE_STATIC));
        THEN(sqlite3_bind_int64(insert, 2, (int64_t)i));
        THEN(rival_sqlite_run(insert));
        ids[i] = sqlite3_last_insert_rowid(db);
        sum->seconds += i;
        sum->letters += (uint64_t)size;
    }
    sqlite3_finalize(insert);
    return code;
}

static int insert_playlists(sqlite3 *db, size_t count, size_t each, const int64_t *ids, rival_sum *sum) {
    static const char title[] = "Test Playlist";
    sqlite3_stmt *insert = NULL, *link = NULL;
    int code = rival_sqlite_prepare(db, "INSERT INTO playlist (title) VALUES (?)", &insert);
    THEN(rival_sqlite_prepare(db, "INSERT INTO entry (playlist, position, song) VALUES (?, ?, ?)", &link));
    for (size_t i = 0; i < count && !code; i++) {
        THEN(sqlite3_bind_text(insert, 1, title, sizeof title - 1, SQLITE_STATIC));
        THEN(rival_sqlite_run(insert));
        sum->letters += sizeof title - 1;
        THEN(sqlite3_bind_int64(link, 1, sqlite3_last_insert_rowid(db)));
        for (size_t k = 0; k < each && !code; k++) {
            size_t number = i * each + k;
            THEN(sqlite3_bind_int64(link, 2, (int64_t)k));
            THEN(sqlite3_bind_int64(link, 3, ids[number]));
            THEN(rival_sqlite_run(link));
            sum->count++;
            sum->order += (k + 1) * number;
        }
    }
    sqlite3_finalize(insert);
    sqlite3_finalize(link);
    return code;
}

int rival_sqlite_complex_insert(const char *path, size_t playlists, size_t songs_each, rival_sum *sum) {
    sqlite3 *db;
    int code = rival_sqlite_open(path, &db);
    if (code) return code;
    int64_t *ids = malloc(playlists * songs_each * sizeof *ids);
    if (!ids) code = SQLITE_NOMEM;
    THEN(sqlite3_exec(db, "BEGIN", NULL, NULL, NULL));
    THEN(insert_songs(db, playlists * songs_each, ids, sum));
    THEN(insert_playlists(db, playlists, songs_each, ids, sum));
    THEN(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL));
    free(ids);
    return rival_sqlite_close(db, code);
}

typedef struct playlist {
    int64_t id;
    char *title;
    int64_t *songs;
    size_t count, room;
} playlist;

typedef struct playlists {
    playlist *items;
    size_t count, room;
} playlists;

static int read_playlists(sqlite3 *db, playlists *all) {
    sqlite3_stmt *select = NULL;
    int code = rival_sqlite_prepare(db, "SELECT id, title FROM playlist ORDER BY id", &select);
    if (code) return code;
    while ((code = sqlite3_step(select)) == SQLITE_ROW) {
        if (all->count == all->room) {
            all->room = all->room ? all->room * 2 : 64;
            playlist *more = realloc(all->items, all->room * sizeof *more);
            if (!more) break;
            all->items = more;
        }
        char *title = rival_sqlite_text(select, 1);
        if (!title) break;
        all->items[all->count++] = (playlist){.id = sqlite3_column_int64(select, 0), .title = title};
    }
    sqlite3_finalize(select);
    return code == SQLITE_DONE ? SQLITE_OK : code == SQLITE_ROW ? SQLITE_NOMEM : code;
}

// The songs of all playlists in one walk over the table, which is in this order.
static int read_entries(sqlite3 *db, playlists *all) {
    sqlite3_stmt *select = NULL;
    playlist *to = all->items, *end = all->items + all->count;
    int code = rival_sqlite_prepare(db, "SELECT playlist, song FROM entry ORDER BY playlist, position", &select);
    if (code) return code;
    while ((code = sqlite3_step(select)) == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(select, 0);
        while (to < end && to->id < id) to++;
        if (to == end || to->id != id) break;
        if (to->count == to->room) {
            to->room = to->room ? to->room * 2 : 64;
            int64_t *more = realloc(to->songs, to->room * sizeof *more);
            if (!more) break;
            to->songs = more;
        }
        to->songs[to->count++] = sqlite3_column_int64(select, 1);
    }
    sqlite3_finalize(select);
    return code == SQLITE_DONE ? SQLITE_OK : code == SQLITE_ROW ? SQLITE_CORRUPT : code;
}

static int read_first_titles(sqlite3 *db, const playlists *all, rival_sum *sum) {
    sqlite3_stmt *select = NULL;
    int code = rival_sqlite_prepare(db, "SELECT title FROM song WHERE id = ?", &select);
    for (size_t i = 0; i < all->count && !code; i++) {
        if (all->items[i].count == 0) continue;
        THEN(sqlite3_bind_int64(select, 1, all->items[i].songs[0]));
        if (code) break;
        code = sqlite3_step(select);
        if (code != SQLITE_ROW) {
            code = code == SQLITE_DONE ? SQLITE_CORRUPT : code;
            break;
        }
        char *title = rival_sqlite_text(select, 0);
        code = title ? sqlite3_reset(select) : SQLITE_NOMEM;
        if (title) sum->letters += strlen(title);
        free(title);
    }
    sqlite3_finalize(select);
    return code;
}

int rival_sqlite_complex_fetch(const char *path, rival_sum *sum) {
    sqlite3 *db;
    playlists all = {0};
    int code = rival_sqlite_open(path, &db);
    if (code) return code;
    THEN(read_playlists(db, &all));
    THEN(read_entries(db, &all));
    THEN(read_first_titles(db, &all, sum));
    int64_t first = all.count && all.items[0].count ? all.items[0].songs[0] : 0;
    for (size_t i = 0; i < all.count; i++) {
        playlist *item = &all.items[i];
        sum->count += item->count;
        sum->letters += strlen(item->title);
        for (size_t k = 0; k < item->count; k++) sum->order += (k + 1) * (uint64_t)(item->songs[k] - first);
        free(item->title);
        free(item->songs);
    }
    free(all.items);
    return rival_sqlite_close(db, code);
}
