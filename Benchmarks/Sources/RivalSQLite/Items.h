// What the files of `queries/…` share.
#pragma once

#include "Rival.h"
#include "RivalItems.h"

struct rival_items {
    sqlite3 *db;
    // Each is prepared when it is first used.
    sqlite3_stmt *begin, *commit, *owner, *tag, *item, *link, *best;
    sqlite3_stmt *find[RIVAL_ROWS];
    sqlite3_stmt *query[RIVAL_ROWS];
};

// Prepares a statement unless it is there.
int rival_items_prepare(rival_items *items, sqlite3_stmt **statement, const char *sql);
// The rows that write.
int rival_items_change(rival_items *items, const rival_argument *argument, rival_found *found);
int rival_items_insert(rival_items *items, const rival_argument *argument, rival_found *found);
int rival_items_delete(rival_items *items, const rival_argument *argument, rival_found *found);
