#include "Rival.h"

#include <stdlib.h>

struct rival_texts {
    sqlite3 *db;
    sqlite3_stmt *insert, *index, *plain, *match, *first, *begin, *commit;
};

// The index has no copy of the texts: it reads them where they are.
static const char searched[] =
    "CREATE TABLE IF NOT EXISTS name (id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
    "CREATE VIRTUAL TABLE IF NOT EXISTS text USING fts5(name, content='name', content_rowid='id', tokenize='trigram');";
static const char first[] = "SELECT name.name FROM text JOIN name ON name.id = text.rowid WHERE text MATCH ? ORDER BY text.rowid LIMIT ?";
static const char plain[] = "CREATE TABLE IF NOT EXISTS plain (id INTEGER PRIMARY KEY, name TEXT NOT NULL);";

int rival_sqlite_texts_open(const char *path, rival_texts **result) {
    rival_texts *texts = calloc(1, sizeof *texts);
    if (!texts) return SQLITE_NOMEM;
    int code = rival_sqlite_open(path, &texts->db);
    THEN(sqlite3_exec(texts->db, searched, NULL, NULL, NULL));
    THEN(sqlite3_exec(texts->db, plain, NULL, NULL, NULL));
    THEN(rival_sqlite_prepare(texts->db, "INSERT INTO name (name) VALUES (?)", &texts->insert));
    THEN(rival_sqlite_prepare(texts->db, "INSERT INTO text (rowid, name) VALUES (?, ?)", &texts->index));
    THEN(rival_sqlite_prepare(texts->db, "INSERT INTO plain (name) VALUES (?)", &texts->plain));
    THEN(rival_sqlite_prepare(texts->db, "SELECT rowid FROM text WHERE text MATCH ?", &texts->match));
    THEN(rival_sqlite_prepare(texts->db, first, &texts->first));
    THEN(rival_sqlite_prepare(texts->db, "BEGIN", &texts->begin));
    THEN(rival_sqlite_prepare(texts->db, "COMMIT", &texts->commit));
    if (code) {
        rival_sqlite_texts_close(texts);
        return code;
    }
    *result = texts;
    return SQLITE_OK;
}

int rival_sqlite_texts_close(rival_texts *texts) {
    sqlite3_stmt *statements[] = {texts->insert, texts->index, texts->plain, texts->match, texts->first, texts->begin, texts->commit};
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) sqlite3_finalize(statements[i]);
    int code = sqlite3_close(texts->db);
    free(texts);
    return code;
}

static int add(rival_texts *texts, const char *name, size_t size, bool is_searched) {
    sqlite3_stmt *insert = is_searched ? texts->insert : texts->plain;
    int code = sqlite3_bind_text(insert, 1, name, (int)size, SQLITE_STATIC);
    THEN(rival_sqlite_run(insert));
    if (!is_searched) return code;
    THEN(sqlite3_bind_int64(texts->index, 1, sqlite3_last_insert_rowid(texts->db)));
    THEN(sqlite3_bind_text(texts->index, 2, name, (int)size, SQLITE_STATIC));
    THEN(rival_sqlite_run(texts->index));
    return code;
}

int rival_sqlite_texts_insert(rival_texts *texts, const char *names, const uint32_t *ends, size_t count, bool is_searched) {
    int code = rival_sqlite_run(texts->begin);
    for (size_t i = 0; i < count && !code; i++) {
        uint32_t start = i ? ends[i - 1] : 0;
        code = add(texts, names + start, ends[i] - start, is_searched);
    }
    THEN(rival_sqlite_run(texts->commit));
    return code;
}

int rival_sqlite_texts_query(rival_texts *texts, const char *match, uint64_t *count, uint64_t *sum) {
    int code = sqlite3_bind_text(texts->match, 1, match, -1, SQLITE_STATIC);
    while (!code && (code = sqlite3_step(texts->match)) == SQLITE_ROW) {
        *count += 1;
        *sum += (uint64_t)sqlite3_column_int64(texts->match, 0) - 1;
        code = SQLITE_OK;
    }
    if (code == SQLITE_DONE) code = SQLITE_OK;
    sqlite3_reset(texts->match);
    return code;
}

int rival_sqlite_texts_first(rival_texts *texts, const char *match, size_t limit, uint64_t *count, uint64_t *letters) {
    int code = sqlite3_bind_text(texts->first, 1, match, -1, SQLITE_STATIC);
    THEN(sqlite3_bind_int64(texts->first, 2, (int64_t)limit));
    while (!code && (code = sqlite3_step(texts->first)) == SQLITE_ROW) {
        char *name = rival_sqlite_text(texts->first, 0);
        *count += 1;
        *letters += (uint64_t)sqlite3_column_bytes(texts->first, 0);
        code = name ? SQLITE_OK : SQLITE_NOMEM;
        free(name);
    }
    if (code == SQLITE_DONE) code = SQLITE_OK;
    sqlite3_reset(texts->first);
    return code;
}

// A number that a pragma returns.
static int number(sqlite3 *db, const char *pragma, uint64_t *result) {
    sqlite3_stmt *statement = NULL;
    int code = rival_sqlite_prepare(db, pragma, &statement);
    if (!code && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        *result = (uint64_t)sqlite3_column_int64(statement, 0);
        code = SQLITE_OK;
    }
    sqlite3_finalize(statement);
    return code;
}

int rival_sqlite_texts_size(rival_texts *texts, uint64_t *bytes) {
    uint64_t size, pages, unused;
    int code = number(texts->db, "PRAGMA page_size", &size);
    THEN(number(texts->db, "PRAGMA page_count", &pages));
    THEN(number(texts->db, "PRAGMA freelist_count", &unused));
    if (!code) *bytes = size * (pages - unused);
    return code;
}
