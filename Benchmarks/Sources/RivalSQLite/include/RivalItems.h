// The rival of `queries/…`: a file of items, their owners and tags, and what a program asks of it all day, as a careful C programmer writes it. WAL,
// `synchronous` NORMAL, foreign keys, a cache of 64 MiB, statements prepared once, an index for each question. A query returns structs with strings of
// their own, which are freed; a call runs one query for each argument, so that no crossing is paid per row. Functions return SQLite's result code.
#ifndef RIVAL_ITEMS_H
#define RIVAL_ITEMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rival_items rival_items;

// Opens a file, or makes one with its tables and indexes. Without indexes, `rival_items_index` makes them once the tables are full.
int rival_items_open(const char *path, bool has_indexes, rival_items **items);
int rival_items_index(rival_items *items);
int rival_items_close(rival_items *items);
int rival_items_begin(rival_items *items);
int rival_items_commit(rival_items *items);

typedef struct rival_item {
    int64_t id, number, group, kind, price, owner;
    double created, reviewed;  // seconds since 1970; not a number: none
    const char *title;
} rival_item;
int rival_items_add_owner(rival_items *items, int64_t id, const char *name);
int rival_items_add_tag(rival_items *items, int64_t id, const char *name);
int rival_items_add(rival_items *items, const rival_item *item);
// An item has a tag.
int rival_items_add_link(rival_items *items, int64_t item, int64_t tag);
// An owner's best item of a year.
int rival_items_add_best(rival_items *items, int64_t owner, int64_t year, int64_t item);

typedef enum rival_row {
    RIVAL_BY_ID,
    RIVAL_BY_INDEX,
    RIVAL_MISSING,
    RIVAL_MANY,
    RIVAL_GROUP,
    RIVAL_GROUP_COUNT,
    RIVAL_PAGE,
    RIVAL_PAGE_COMPOUND,
    RIVAL_PAGE_OFFSET,
    RIVAL_PAGE_AFTER,
    RIVAL_OWNER_ITEMS,
    RIVAL_OWNER_JOIN,
    RIVAL_OWNER_SORT,
    RIVAL_OWNER_SORT_ALL,
    RIVAL_OWNER_COUNT,
    RIVAL_TAG_ITEMS,
    RIVAL_ITEM_TAGS,
    RIVAL_DICTIONARY,
    RIVAL_RANGE,
    RIVAL_OR,
    RIVAL_NIL,
    RIVAL_NOT_NIL,
    RIVAL_DATES,
    RIVAL_SCAN_COUNT,
    RIVAL_SCAN_PREFIX,
    RIVAL_SORT,
    RIVAL_SUM,
    RIVAL_SUM_SCAN,
    RIVAL_LEAST,
    RIVAL_KINDS,
    RIVAL_ALL,
    RIVAL_CHANGE,
    RIVAL_INSERT,
    RIVAL_DELETE,
    RIVAL_ROWS,
} rival_row;

// What a query is about; each takes what it needs.
typedef struct rival_argument {
    int64_t a, b;
    double from, to;
    const char *text, *text_end;
} rival_argument;

// What was found.
typedef struct rival_found {
    uint64_t count;
    uint64_t numbers;
    uint64_t prices;
    uint64_t letters;  // bytes of all titles
    uint64_t order;    // of rows that come in order: the place within the query, from 1, times the number
} rival_found;

// Runs a query for each argument.
int rival_items_run(rival_items *items, rival_row row, const rival_argument *arguments, size_t count, rival_found *found);

#endif
