#include "RivalLMDB.h"

#include <lmdb.h>
#include <stdlib.h>
#include <string.h>

enum { key_size = 12 };

struct rival_lmdb {
    MDB_env *environment;
    MDB_dbi table;
};

static MDB_val key_at(const uint8_t *keys, uint32_t row) {
    return (MDB_val){.mv_size = key_size, .mv_data = (void *)(keys + (size_t)row * key_size)};
}

const char *rival_lmdb_version(void) { return mdb_version(NULL, NULL, NULL); }

int rival_lmdb_open(const char *path, rival_lmdb **result) {
    rival_lmdb *db = calloc(1, sizeof *db);
    MDB_txn *transaction;
    int error = mdb_env_create(&db->environment);
    if (!error) error = mdb_env_set_mapsize(db->environment, (size_t)8 << 30);
    if (!error) error = mdb_env_open(db->environment, path, MDB_NOSUBDIR | MDB_NOSYNC | MDB_WRITEMAP, 0644);
    if (!error) error = mdb_txn_begin(db->environment, NULL, 0, &transaction);
    if (!error) {
        error = mdb_dbi_open(transaction, NULL, 0, &db->table);
        if (error) mdb_txn_abort(transaction);
        else error = mdb_txn_commit(transaction);
    }
    if (error) rival_lmdb_close(db);
    else *result = db;
    return error;
}

void rival_lmdb_close(rival_lmdb *db) {
    mdb_env_close(db->environment);
    free(db);
}

static int put(rival_lmdb *db, MDB_val key, MDB_val value) {
    MDB_txn *transaction;
    int error = mdb_txn_begin(db->environment, NULL, 0, &transaction);
    if (error) return error;
    error = mdb_put(transaction, db->table, &key, &value, 0);
    if (error) {
        mdb_txn_abort(transaction);
        return error;
    }
    return mdb_txn_commit(transaction);
}

int rival_lmdb_set_ints(rival_lmdb *db, const uint8_t *keys, const uint32_t *order, size_t count, uint64_t base) {
    int error = 0;
    for (size_t i = 0; i < count && !error; i++) {
        uint64_t number = base + order[i];
        error = put(db, key_at(keys, order[i]), (MDB_val){.mv_size = sizeof number, .mv_data = &number});
    }
    return error;
}

int rival_lmdb_set_strings(
    rival_lmdb *db, const uint8_t *keys, const uint32_t *order, size_t count, const uint8_t *value, size_t size) {
    int error = 0;
    for (size_t i = 0; i < count && !error; i++) {
        error = put(db, key_at(keys, order[i]), (MDB_val){.mv_size = size, .mv_data = (void *)value});
    }
    return error;
}

static int get_all(
    rival_lmdb *db, const uint8_t *keys, const uint32_t *order, size_t count, int copies, uint64_t *sum, uint64_t *missing) {
    MDB_txn *transaction;
    int error = mdb_txn_begin(db->environment, NULL, MDB_RDONLY, &transaction);
    if (error) return error;
    for (size_t i = 0; i < count; i++) {
        MDB_val key = key_at(keys, order[i]), value;
        error = mdb_get(transaction, db->table, &key, &value);
        if (error == MDB_NOTFOUND) {
            error = 0;
            ++*missing;
            continue;
        }
        if (error) break;
        uint64_t number;
        if (copies) {
            char *copy = malloc(value.mv_size + 1);
            memcpy(copy, value.mv_data, value.mv_size);
            copy[value.mv_size] = 0;
            memcpy(&number, copy, sizeof number);
            free(copy);
        } else {
            memcpy(&number, value.mv_data, sizeof number);
        }
        *sum += number;
    }
    mdb_txn_abort(transaction);
    return error;
}

int rival_lmdb_get(rival_lmdb *db, const uint8_t *keys, const uint32_t *order, size_t count, uint64_t *sum, uint64_t *missing) {
    return get_all(db, keys, order, count, 0, sum, missing);
}

int rival_lmdb_get_owned(rival_lmdb *db, const uint8_t *keys, const uint32_t *order, size_t count, uint64_t *sum, uint64_t *missing) {
    return get_all(db, keys, order, count, 1, sum, missing);
}

int rival_lmdb_open_often(const char *path, const uint8_t *key, size_t times, uint64_t *sum) {
    int error = 0;
    uint64_t missing = 0;
    uint32_t first = 0;
    for (size_t i = 0; i < times && !error; i++) {
        rival_lmdb *db;
        error = rival_lmdb_open(path, &db);
        if (error) break;
        error = rival_lmdb_get(db, key, &first, 1, sum, &missing);
        rival_lmdb_close(db);
    }
    return error;
}
