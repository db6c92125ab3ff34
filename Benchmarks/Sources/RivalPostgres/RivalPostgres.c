#include "RivalPostgres.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>

struct rival_postgres {
    PGconn *connection;
};

static int finish(PGresult *result) {
    ExecStatusType status = PQresultStatus(result);
    int count = status == PGRES_TUPLES_OK ? PQntuples(result) : status == PGRES_COMMAND_OK ? atoi(PQcmdTuples(result)) : -1;
    PQclear(result);
    return count;
}

static int prepare(PGconn *connection, const char *name, const char *form, const char *store) {
    char sql[1024];
    snprintf(sql, sizeof sql, form, store);
    return finish(PQprepare(connection, name, sql, 0, NULL));
}

static int perform(rival_postgres *self, const char *name, const char *first, const char *second) {
    const char *values[] = {first, second};
    return finish(PQexecPrepared(self->connection, name, second ? 2 : first ? 1 : 0, values, NULL, NULL, 1));
}

rival_postgres *rival_postgres_open(const char *url, const char *store) {
    char sql[512];
    rival_postgres *self = calloc(1, sizeof *self);
    self->connection = PQconnectdb(url);
    snprintf(sql, sizeof sql, "SET client_min_messages = error; CREATE TABLE IF NOT EXISTS public.%s (k bytea PRIMARY KEY, v bytea)", store);
    if (rival_postgres_run(self, sql) == 0
        && prepare(
               self->connection, "put",
               "INSERT INTO public.%s SELECT k::bytea, v::bytea FROM unnest($1::text[], $2::text[]) AS n(k, v) "
               "ON CONFLICT (k) DO UPDATE SET v = excluded.v",
               store) >= 0
        && prepare(self->connection, "get", "SELECT k, v FROM public.%s WHERE k = ANY ($1::text[]::bytea[])", store) >= 0
        && prepare(self->connection, "scan", "SELECT k, v FROM public.%s WHERE k >= $1::text::bytea AND k < $2::text::bytea ORDER BY k", store) >= 0
        && prepare(self->connection, "head", "SELECT version FROM \"%s\".commits ORDER BY version DESC LIMIT 1", store) >= 0
        // The number is that of the engine's function now (PostgresSchema).
        && prepare(
               self->connection, "commit",
               "SELECT FROM \"%1$s\".store s, \"%1$s\".commit_3(s.identity, uuid_send(gen_random_uuid()), 1, 100, s.floor, '{}', '{}', s.floor, "
               "$1::text[]::bytea[], array_fill(9000000000000000000, ARRAY[cardinality($1::text[])]), '{}', '{}', '{}', '{}', '{}', "
               "$1::text[]::bytea[], $2::text[]::bytea[]) WHERE outcome = 0",
               store) >= 0) {
        return self;
    }
    rival_postgres_close(self);
    return NULL;
}

void rival_postgres_close(rival_postgres *self) {
    PQfinish(self->connection);
    free(self);
}

int rival_postgres_run(rival_postgres *self, const char *sql) { return finish(PQexec(self->connection, sql)) < 0; }
int rival_postgres_put(rival_postgres *self, const char *keys, const char *values) { return perform(self, "put", keys, values); }
int rival_postgres_get(rival_postgres *self, const char *keys) { return perform(self, "get", keys, NULL); }
int rival_postgres_head(rival_postgres *self) { return perform(self, "head", NULL, NULL); }
int rival_postgres_commit(rival_postgres *self, const char *keys, const char *values) { return perform(self, "commit", keys, values); }
int rival_postgres_scan(rival_postgres *self, const char *from, const char *to) { return perform(self, "scan", from, to); }
