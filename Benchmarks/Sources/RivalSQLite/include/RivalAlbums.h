// The rival of relationships that grow: an album with an ordered list of tracks, a label with an unordered set of them, and files with large contents.
// Functions return SQLite's result code.
#ifndef RIVAL_ALBUMS_H
#define RIVAL_ALBUMS_H

#include <stddef.h>
#include <stdint.h>

typedef struct rival_albums rival_albums;

int rival_albums_open(const char *path, rival_albums **albums);
int rival_albums_close(rival_albums *albums);
// An album and a label with the tracks 0, 1, 2 …, in one transaction.
int rival_albums_fill(rival_albums *albums, size_t tracks);

// Each makes the track with this number, in a transaction of its own: at the end of the album, or in the label.
int rival_albums_append(rival_albums *albums, int64_t number);
int rival_albums_add(rival_albums *albums, int64_t number);
// The numbers of the last tracks of the album, in the order of the album; there are as many.
int rival_albums_tail(rival_albums *albums, size_t count, int64_t *numbers);
// The numbers of the first tracks that have the label; there are as many.
int rival_albums_labelled(rival_albums *albums, size_t count, int64_t *numbers);
// How many tracks the label has.
int rival_albums_count(rival_albums *albums, int64_t *count);
// Whether the label has a track.
int rival_albums_contains(rival_albums *albums, int64_t number, int64_t *contains);
// Deletes the label: its tracks have none then.
int rival_albums_delete(rival_albums *albums);
int rival_albums_without_label(rival_albums *albums, int64_t *count);

// A file with a name and contents of their own, in one transaction.
int rival_albums_attach(rival_albums *albums, const char *name, const void *contents, size_t size);
// Gives the file another name.
int rival_albums_rename(rival_albums *albums, const char *name);

#endif
