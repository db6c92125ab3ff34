#define _GNU_SOURCE
#include "RivalCDB.h"

#include <cdb.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { key_size = 16, value_size = 100 };

struct rival_cdb {
    struct cdb cdb;
    int descriptor;
};

// The header has a number, not a text.
#define TEXT(number) #number
#define TEXT_OF(macro) TEXT(macro)

const char *rival_cdb_version(void) { return TEXT_OF(TINYCDB_VERSION); }

static uint64_t word(const void *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

bool rival_cdb_create(const char *path, const uint8_t *keys, size_t count, const uint8_t *value, bool synced) {
    char temporary[4096];
    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    int descriptor = open(temporary, O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (descriptor < 0) return false;
    struct cdb_make make;
    if (cdb_make_start(&make, descriptor) != 0) return false;
    uint8_t record[value_size];
    memcpy(record, value, value_size);
    for (size_t row = 0; row < count; row++) {
        uint64_t number = row;
        memcpy(record, &number, sizeof number);
        if (cdb_make_add(&make, keys + row * key_size, key_size, record, value_size) != 0) return false;
    }
    if (cdb_make_finish(&make) != 0) return false;
    if (synced && fsync(descriptor) != 0) return false;
    if (close(descriptor) != 0 || rename(temporary, path) != 0) return false;
    if (synced) {
        char copy[4096];
        snprintf(copy, sizeof copy, "%s", path);
        int directory = open(dirname(copy), O_RDONLY | O_DIRECTORY);
        if (directory < 0 || fsync(directory) != 0) return false;
        close(directory);
    }
    return true;
}

rival_cdb *rival_cdb_open(const char *path) {
    rival_cdb *db = calloc(1, sizeof *db);
    if (!db) return NULL;
    db->descriptor = open(path, O_RDONLY);
    if (db->descriptor < 0 || cdb_init(&db->cdb, db->descriptor) != 0) {
        free(db);
        return NULL;
    }
    return db;
}

void rival_cdb_close(rival_cdb *db) {
    cdb_free(&db->cdb);
    close(db->descriptor);
    free(db);
}

bool rival_cdb_get(rival_cdb *db, const uint8_t *keys, size_t count, uint64_t *sum, uint64_t *missing) {
    uint64_t total = 0, absent = 0;
    for (size_t row = 0; row < count; row++) {
        int found = cdb_find(&db->cdb, keys + row * key_size, key_size);
        if (found < 0) return false;
        if (found == 0) {
            absent++;
            continue;
        }
        const void *value = cdb_getdata(&db->cdb);
        total += word(value) + cdb_datalen(&db->cdb);
    }
    *sum = total;
    *missing = absent;
    return true;
}

bool rival_cdb_get_owned(rival_cdb *db, const uint8_t *keys, size_t count, uint64_t *sum) {
    uint64_t total = 0;
    for (size_t row = 0; row < count; row++) {
        if (cdb_find(&db->cdb, keys + row * key_size, key_size) <= 0) return false;
        unsigned length = cdb_datalen(&db->cdb);
        void *value = malloc(length);
        if (!value || cdb_readdata(&db->cdb, value) != 0) return false;
        total += word(value) + length;
        free(value);
    }
    *sum = total;
    return true;
}

bool rival_cdb_scan(rival_cdb *db, uint64_t *sum, uint64_t *count) {
    uint64_t total = 0, records = 0;
    unsigned position;
    cdb_seqinit(&position, &db->cdb);
    int found;
    while ((found = cdb_seqnext(&position, &db->cdb)) > 0) {
        total += word(cdb_getkey(&db->cdb)) + word(cdb_getdata(&db->cdb)) + cdb_datalen(&db->cdb);
        records++;
    }
    *sum = total;
    *count = records;
    return found == 0;
}

bool rival_cdb_open_often(const char *path, const uint8_t *key, size_t times, uint64_t *sum) {
    uint64_t total = 0;
    for (size_t time = 0; time < times; time++) {
        rival_cdb *db = rival_cdb_open(path);
        if (!db) return false;
        if (cdb_find(&db->cdb, key, key_size) <= 0) return false;
        total += word(cdb_getdata(&db->cdb));
        rival_cdb_close(db);
    }
    *sum = total;
    return true;
}

bool rival_cdb_seek(const char *path, const uint8_t *keys, size_t count, uint64_t *sum) {
    int descriptor = open(path, O_RDONLY);
    if (descriptor < 0) return false;
    uint64_t total = 0;
    for (size_t row = 0; row < count; row++) {
        unsigned length;
        if (cdb_seek(descriptor, keys + row * key_size, key_size, &length) <= 0 || length != value_size) return false;
        uint8_t value[value_size];
        if (cdb_bread(descriptor, value, value_size) != 0) return false;
        total += word(value) + length;
    }
    close(descriptor);
    *sum = total;
    return true;
}
