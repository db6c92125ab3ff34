#include "Items.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS "SELECT item.number, item.price, item.title FROM item "

// How a row asks. `binds` names what becomes the parameters, in order: the argument's a, b, (f)rom, t(o), (s)tring and its (e)nd, (m)any numbers, or
// the id that was (i)dentified before by `find`, whose parameter is the string.
typedef struct question {
    const char *find, *sql, *binds;
    bool is_count, is_ordered;
} question;

static const char find_owner[] = "SELECT id FROM owner WHERE name = ?";
static const char find_tag[] = "SELECT id FROM tag WHERE name = ?";

static const question questions[RIVAL_ROWS] = {
    [RIVAL_BY_ID] = {.sql = COLUMNS "WHERE id = ?", .binds = "b"},
    [RIVAL_BY_INDEX] = {.sql = COLUMNS "WHERE number = ?", .binds = "a"},
    [RIVAL_MISSING] = {.sql = COLUMNS "WHERE number = ?", .binds = "a"},
    [RIVAL_MANY] = {.sql = COLUMNS "WHERE number IN (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        .binds = "m"},
    [RIVAL_GROUP] = {.sql = COLUMNS "WHERE \"group\" = ?", .binds = "a"},
    [RIVAL_GROUP_COUNT] = {.sql = "SELECT count(*) FROM item WHERE \"group\" = ?", .binds = "a", .is_count = true},
    [RIVAL_PAGE] = {.sql = COLUMNS "WHERE number >= ? ORDER BY number, id LIMIT 100", .binds = "a", .is_ordered = true},
    [RIVAL_PAGE_COMPOUND] =
        {.sql = COLUMNS "WHERE kind = ? AND price >= ? ORDER BY price, id LIMIT 100", .binds = "ab", .is_ordered = true},
    [RIVAL_PAGE_OFFSET] = {.sql = COLUMNS "ORDER BY number, id LIMIT 100 OFFSET ?", .binds = "a", .is_ordered = true},
    [RIVAL_PAGE_AFTER] =
        {.sql = COLUMNS "WHERE (number, id) > (?, ?) ORDER BY number, id LIMIT 100", .binds = "ab", .is_ordered = true},
    [RIVAL_OWNER_ITEMS] = {.find = find_owner, .sql = COLUMNS "WHERE owner = ?", .binds = "i"},
    [RIVAL_OWNER_JOIN] = {.sql = COLUMNS "JOIN owner ON owner.id = item.owner WHERE owner.name = ?", .binds = "s"},
    [RIVAL_OWNER_SORT] =
        {.sql = COLUMNS "JOIN owner ON owner.id = item.owner ORDER BY owner.name, item.id LIMIT 100", .binds = "", .is_ordered = true},
    [RIVAL_OWNER_SORT_ALL] =
        {.sql = COLUMNS "LEFT JOIN owner ON owner.id = item.owner ORDER BY owner.name, item.id LIMIT 100", .binds = "", .is_ordered = true},
    [RIVAL_OWNER_COUNT] = {.find = find_owner, .sql = "SELECT count(*) FROM item WHERE owner = ?", .binds = "i", .is_count = true},
    [RIVAL_TAG_ITEMS] = {.find = find_tag, .sql = COLUMNS "JOIN link ON link.item = item.id WHERE link.tag = ?", .binds = "i"},
    [RIVAL_ITEM_TAGS] =
        {.sql = "SELECT 0, 0, tag.name FROM item JOIN link ON link.item = item.id JOIN tag ON tag.id = link.tag WHERE item.number = ?",
         .binds = "a"},
    [RIVAL_DICTIONARY] =
        {.find = find_owner, .sql = COLUMNS "JOIN best ON best.item = item.id WHERE best.owner = ? AND best.year = ?", .binds = "ia"},
    [RIVAL_RANGE] = {.sql = COLUMNS "WHERE created >= ? AND created < ? AND price < ?", .binds = "ftb"},
    [RIVAL_OR] = {.sql = COLUMNS "WHERE \"group\" = ? OR number = ?", .binds = "ab"},
    [RIVAL_NIL] = {.sql = COLUMNS "WHERE reviewed IS NULL ORDER BY id LIMIT 100", .binds = "", .is_ordered = true},
    [RIVAL_NOT_NIL] = {.sql = COLUMNS "WHERE reviewed IS NOT NULL", .binds = ""},
    [RIVAL_DATES] = {.sql = COLUMNS "WHERE created >= ? AND created < ? ORDER BY created, id", .binds = "ft", .is_ordered = true},
    [RIVAL_SCAN_COUNT] = {.sql = "SELECT count(*) FROM item WHERE instr(title, ?) > 0", .binds = "s", .is_count = true},
    [RIVAL_SCAN_PREFIX] = {.sql = COLUMNS "WHERE title >= ? AND title < ?", .binds = "se"},
    [RIVAL_SORT] = {.sql = COLUMNS "ORDER BY title, id LIMIT 100", .binds = "", .is_ordered = true},
    // One row with the value in the place of the price; of the groups, the number of items.
    [RIVAL_SUM] = {.sql = "SELECT 0, sum(price), '' FROM item WHERE kind = ?", .binds = "a"},
    [RIVAL_SUM_SCAN] = {.sql = "SELECT 0, sum(price), '' FROM item WHERE instr(title, ?) > 0", .binds = "s"},
    [RIVAL_LEAST] = {.sql = "SELECT 0, min(price), '' FROM item WHERE kind = ?", .binds = "a"},
    [RIVAL_KINDS] = {.sql = "SELECT kind, count(*), '' FROM item GROUP BY kind ORDER BY kind", .binds = "", .is_ordered = true},
    [RIVAL_ALL] = {.sql = COLUMNS "ORDER BY id", .binds = "", .is_ordered = true},
};

static int bind(sqlite3_stmt *statement, const char *binds, const rival_argument *argument, int64_t id) {
    int code = SQLITE_OK, place = 1;
    for (; *binds && !code; binds++) {
        switch (*binds) {
        case 'a': code = sqlite3_bind_int64(statement, place++, argument->a); break;
        case 'b': code = sqlite3_bind_int64(statement, place++, argument->b); break;
        case 'f': code = sqlite3_bind_double(statement, place++, argument->from); break;
        case 't': code = sqlite3_bind_double(statement, place++, argument->to); break;
        case 's': code = sqlite3_bind_text(statement, place++, argument->text, -1, SQLITE_STATIC); break;
        case 'e': code = sqlite3_bind_text(statement, place++, argument->text_end, -1, SQLITE_STATIC); break;
        case 'i': code = sqlite3_bind_int64(statement, place++, id); break;
        case 'm':
            while (place <= 50 && !code) {
                code = sqlite3_bind_int64(statement, place, argument->a + (place - 1) * argument->b);
                place++;
            }
            break;
        }
    }
    return code;
}

typedef struct result {
    int64_t number, price;
    char *title;
} result;

typedef struct results {
    result *items;
    size_t count, room;
} results;

static int read_results(sqlite3_stmt *statement, results *all) {
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (all->count == all->room) {
            all->room = all->room ? all->room * 2 : 16;
            result *more = realloc(all->items, all->room * sizeof *more);
            if (!more) return SQLITE_NOMEM;
            all->items = more;
        }
        char *title = rival_sqlite_text(statement, 2);
        if (!title) return SQLITE_NOMEM;
        all->items[all->count++] =
            (result){.number = sqlite3_column_int64(statement, 0), .price = sqlite3_column_int64(statement, 1), .title = title};
    }
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static void add_up(const results *all, bool is_ordered, rival_found *found) {
    for (size_t i = 0; i < all->count; i++) {
        const result *item = &all->items[i];
        found->numbers += (uint64_t)item->number;
        found->prices += (uint64_t)item->price;
        found->letters += strlen(item->title);
        if (is_ordered) found->order += (i + 1) * (uint64_t)item->number;
    }
    found->count += all->count;
}

static int ask(rival_items *items, rival_row row, const rival_argument *argument, rival_found *found) {
    const question *question = &questions[row];
    int64_t id = 0;
    results all = {0};
    int code = SQLITE_OK;
    // Two statements that see the same.
    if (question->find) {
        code = rival_items_begin(items);
        THEN(rival_items_prepare(items, &items->find[row], question->find));
        THEN(sqlite3_bind_text(items->find[row], 1, argument->text, -1, SQLITE_STATIC));
        if (!code && (code = sqlite3_step(items->find[row])) == SQLITE_ROW) {
            id = sqlite3_column_int64(items->find[row], 0);
            code = sqlite3_reset(items->find[row]);
        }
        if (code == SQLITE_DONE) code = SQLITE_NOTFOUND;
    }
    THEN(rival_items_prepare(items, &items->query[row], question->sql));
    sqlite3_stmt *statement = items->query[row];
    THEN(bind(statement, question->binds, argument, id));
    if (!code && question->is_count) {
        if ((code = sqlite3_step(statement)) == SQLITE_ROW) {
            found->count += (uint64_t)sqlite3_column_int64(statement, 0);
            code = SQLITE_OK;
        }
    } else {
        THEN(read_results(statement, &all));
        if (!code) add_up(&all, question->is_ordered, found);
    }
    sqlite3_reset(statement);
    if (question->find) THEN(rival_items_commit(items));
    for (size_t i = 0; i < all.count; i++) free(all.items[i].title);
    free(all.items);
    return code;
}

int rival_items_run(rival_items *items, rival_row row, const rival_argument *arguments, size_t count, rival_found *found) {
    int code = SQLITE_OK;
    for (size_t i = 0; i < count && !code; i++) {
        switch (row) {
        case RIVAL_CHANGE: code = rival_items_change(items, &arguments[i], found); break;
        case RIVAL_INSERT: code = rival_items_insert(items, &arguments[i], found); break;
        case RIVAL_DELETE: code = rival_items_delete(items, &arguments[i], found); break;
        default: code = ask(items, row, &arguments[i], found);
        }
    }
    return code;
}
