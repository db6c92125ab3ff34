#include "Items.h"

#include <math.h>
#include <stdlib.h>

// Entries of dictionaries and links are ranges of their tables; indexes lead back from an item, which deleting it needs.
static const char tables[] =
    "CREATE TABLE IF NOT EXISTS owner (id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS tag (id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS item ("
    "  id INTEGER PRIMARY KEY, number INTEGER NOT NULL, \"group\" INTEGER NOT NULL, kind INTEGER NOT NULL, price INTEGER NOT NULL,"
    "  title TEXT NOT NULL, created REAL NOT NULL, reviewed REAL, owner INTEGER REFERENCES owner(id) ON DELETE SET NULL);"
    "CREATE TABLE IF NOT EXISTS link ("
    "  item INTEGER NOT NULL REFERENCES item(id) ON DELETE CASCADE, tag INTEGER NOT NULL REFERENCES tag(id) ON DELETE CASCADE,"
    "  PRIMARY KEY (item, tag)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS best ("
    "  owner INTEGER NOT NULL REFERENCES owner(id) ON DELETE CASCADE, year INTEGER NOT NULL,"
    "  item INTEGER NOT NULL REFERENCES item(id) ON DELETE CASCADE, PRIMARY KEY (owner, year)) WITHOUT ROWID;";

static const char indexes[] =
    "CREATE INDEX IF NOT EXISTS owner_name ON owner(name);"
    "CREATE INDEX IF NOT EXISTS tag_name ON tag(name);"
    "CREATE INDEX IF NOT EXISTS item_number ON item(number);"
    "CREATE INDEX IF NOT EXISTS item_group ON item(\"group\");"
    "CREATE INDEX IF NOT EXISTS item_kind ON item(kind, price);"
    "CREATE INDEX IF NOT EXISTS item_created ON item(created);"
    "CREATE INDEX IF NOT EXISTS item_reviewed ON item(reviewed) WHERE reviewed IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS item_owner ON item(owner);"
    "CREATE INDEX IF NOT EXISTS link_tag ON link(tag, item);"
    "CREATE INDEX IF NOT EXISTS best_item ON best(item);";

int rival_items_prepare(rival_items *items, sqlite3_stmt **statement, const char *sql) {
    if (*statement) return SQLITE_OK;
    return sqlite3_prepare_v3(items->db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

int rival_items_open(const char *path, bool has_indexes, rival_items **result) {
    // Debian's library overwrites what is deleted with zeros unless it is told not to. The cache is as large as that of CairnObjects.
    static const char pragmas[] =
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = OFF;"
        "PRAGMA cache_size = -65536;";
    rival_items *items = calloc(1, sizeof *items);
    if (!items) return SQLITE_NOMEM;
    int code = sqlite3_open_v2(path, &items->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    THEN(sqlite3_exec(items->db, pragmas, NULL, NULL, NULL));
    THEN(sqlite3_exec(items->db, tables, NULL, NULL, NULL));
    if (has_indexes) THEN(sqlite3_exec(items->db, indexes, NULL, NULL, NULL));
    if (code) {
        rival_items_close(items);
        return code;
    }
    *result = items;
    return SQLITE_OK;
}

int rival_items_index(rival_items *items) {
    int code = sqlite3_exec(items->db, indexes, NULL, NULL, NULL);
    // What the planner should know of the indexes.
    THEN(sqlite3_exec(items->db, "ANALYZE", NULL, NULL, NULL));
    return code;
}

int rival_items_close(rival_items *items) {
    sqlite3_stmt *statements[] = {items->begin, items->commit, items->owner, items->tag, items->item, items->link, items->best};
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) sqlite3_finalize(statements[i]);
    for (size_t i = 0; i < RIVAL_ROWS; i++) {
        sqlite3_finalize(items->find[i]);
        sqlite3_finalize(items->query[i]);
    }
    int code = sqlite3_close(items->db);
    free(items);
    return code;
}

int rival_items_begin(rival_items *items) {
    int code = rival_items_prepare(items, &items->begin, "BEGIN");
    THEN(rival_sqlite_run(items->begin));
    return code;
}

int rival_items_commit(rival_items *items) {
    int code = rival_items_prepare(items, &items->commit, "COMMIT");
    THEN(rival_sqlite_run(items->commit));
    return code;
}

static int add_name(rival_items *items, sqlite3_stmt **statement, const char *sql, int64_t id, const char *name) {
    int code = rival_items_prepare(items, statement, sql);
    THEN(sqlite3_bind_int64(*statement, 1, id));
    THEN(sqlite3_bind_text(*statement, 2, name, -1, SQLITE_STATIC));
    THEN(rival_sqlite_run(*statement));
    return code;
}

int rival_items_add_owner(rival_items *items, int64_t id, const char *name) {
    return add_name(items, &items->owner, "INSERT INTO owner (id, name) VALUES (?, ?)", id, name);
}

int rival_items_add_tag(rival_items *items, int64_t id, const char *name) {
    return add_name(items, &items->tag, "INSERT INTO tag (id, name) VALUES (?, ?)", id, name);
}

int rival_items_add(rival_items *items, const rival_item *item) {
    static const char sql[] =
        "INSERT INTO item (id, number, \"group\", kind, price, title, created, reviewed, owner) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    int code = rival_items_prepare(items, &items->item, sql);
    sqlite3_stmt *insert = items->item;
    THEN(item->id ? sqlite3_bind_int64(insert, 1, item->id) : sqlite3_bind_null(insert, 1));
    THEN(sqlite3_bind_int64(insert, 2, item->number));
    THEN(sqlite3_bind_int64(insert, 3, item->group));
    THEN(sqlite3_bind_int64(insert, 4, item->kind));
    THEN(sqlite3_bind_int64(insert, 5, item->price));
    THEN(sqlite3_bind_text(insert, 6, item->title, -1, SQLITE_STATIC));
    THEN(sqlite3_bind_double(insert, 7, item->created));
    THEN(isnan(item->reviewed) ? sqlite3_bind_null(insert, 8) : sqlite3_bind_double(insert, 8, item->reviewed));
    THEN(item->owner ? sqlite3_bind_int64(insert, 9, item->owner) : sqlite3_bind_null(insert, 9));
    THEN(rival_sqlite_run(insert));
    return code;
}

int rival_items_add_link(rival_items *items, int64_t item, int64_t tag) {
    int code = rival_items_prepare(items, &items->link, "INSERT INTO link (item, tag) VALUES (?, ?)");
    THEN(sqlite3_bind_int64(items->link, 1, item));
    THEN(sqlite3_bind_int64(items->link, 2, tag));
    THEN(rival_sqlite_run(items->link));
    return code;
}

int rival_items_add_best(rival_items *items, int64_t owner, int64_t year, int64_t item) {
    int code = rival_items_prepare(items, &items->best, "INSERT INTO best (owner, year, item) VALUES (?, ?, ?)");
    THEN(sqlite3_bind_int64(items->best, 1, owner));
    THEN(sqlite3_bind_int64(items->best, 2, year));
    THEN(sqlite3_bind_int64(items->best, 3, item));
    THEN(rival_sqlite_run(items->best));
    return code;
}
