// Cursors
#ifndef CROCKS_CURSORS_H
#define CROCKS_CURSORS_H

#include "CRocksReading.h"

CRK_BEGIN

typedef struct crk_range {
    bool has_from, has_to, has_lower, has_upper, has_prefix, reversed;
    bool includes_to;        // whether `to` is included
    crk_bytes from;          // where the iteration begins, in its direction; inclusive
    crk_bytes to;            // where it ends; exclusive unless `includes_to`
    crk_bytes lower, upper;  // inclusive and exclusive, compared bytewise, whatever the direction and the order
    crk_bytes prefix;        // only keys that begin with it
} crk_range;

typedef enum crk_move { CRK_NEXT, CRK_PREVIOUS, CRK_FIRST, CRK_LAST } crk_move;

typedef struct crk_cursor crk_cursor;
crk_status crk_cursor_create(crk_column_family *family, const crk_read_options *options, const crk_range *range,
    crk_cursor *CRK_NULLABLE *CRK_NULLABLE cursor);
// Each move returns 1 at an entry, 0 off either end, -1 on failure (see crk_cursor_status). Bytes are lent until the next move or free.
// If `value` is NULL, the value is not read.
int crk_cursor_move(crk_cursor *cursor, crk_move move, crk_bytes *key, crk_bytes *CRK_NULLABLE value);
// The same as `crk_cursor_move` with CRK_NEXT, but faster.
int crk_cursor_next(crk_cursor *cursor, crk_bytes *key, crk_bytes *CRK_NULLABLE value);
// Moves to the first entry at or after `key` in the cursor's direction; with `or_before`, to the last one at or before it.
int crk_cursor_seek(crk_cursor *cursor, crk_bytes key, bool or_before, crk_bytes *found, crk_bytes *CRK_NULLABLE value);
// Lends the entry that the cursor is at again. Returns 1; 0 if it is not at an entry; -1 on failure.
int crk_cursor_current(crk_cursor *cursor, crk_bytes *key, crk_bytes *value);
bool crk_cursor_is_at_entry(const crk_cursor *cursor);
// Declares that the cursor is freed on this thread before the caller's call returns: closing the database waits for it instead of being refused.
void crk_cursor_lasts_for_call(crk_cursor *cursor);
crk_status crk_cursor_status(const crk_cursor *cursor);
void crk_cursor_free(crk_cursor *cursor);

CRK_END

#endif
