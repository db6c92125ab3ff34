#include "Items.h"

int rival_items_change(rival_items *items, const rival_argument *argument, rival_found *found) {
    sqlite3_stmt **find = &items->find[RIVAL_CHANGE], **update = &items->query[RIVAL_CHANGE];
    int code = rival_items_prepare(items, find, "SELECT id FROM item WHERE number = ?");
    THEN(rival_items_prepare(items, update, "UPDATE item SET title = ? WHERE id = ?"));
    THEN(rival_items_begin(items));
    THEN(sqlite3_bind_int64(*find, 1, argument->a));
    if (!code && (code = sqlite3_step(*find)) == SQLITE_ROW) {
        code = sqlite3_bind_int64(*update, 2, sqlite3_column_int64(*find, 0));
        sqlite3_reset(*find);
    }
    THEN(sqlite3_bind_text(*update, 1, argument->text, -1, SQLITE_STATIC));
    THEN(rival_sqlite_run(*update));
    THEN(rival_items_commit(items));
    if (!code) found->count += (uint64_t)sqlite3_changes(items->db);
    return code == SQLITE_DONE ? SQLITE_NOTFOUND : code;
}

int rival_items_insert(rival_items *items, const rival_argument *argument, rival_found *found) {
    rival_item item = {
        .number = argument->a,
        .group = argument->b,
        .kind = argument->a % 10,
        .price = argument->a % 1000,
        .created = argument->from,
        .reviewed = __builtin_nan(""),
        .owner = argument->b,
        .title = argument->text,
    };
    int code = rival_items_add(items, &item);
    if (!code) found->count += (uint64_t)sqlite3_changes(items->db);
    return code;
}

int rival_items_delete(rival_items *items, const rival_argument *argument, rival_found *found) {
    sqlite3_stmt **delete = &items->query[RIVAL_DELETE];
    int code = rival_items_prepare(items, delete, "DELETE FROM item WHERE number = ?");
    THEN(sqlite3_bind_int64(*delete, 1, argument->a));
    THEN(rival_sqlite_run(*delete));
    if (!code) found->count += (uint64_t)sqlite3_changes(items->db);
    return code;
}
