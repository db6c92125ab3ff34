// The rival: PostgreSQL as a C program uses it through libpq, with a table of keys and values without versions, numbers or names; and with the
// function and the tables of the engine.
#ifndef RIVAL_POSTGRES_H
#define RIVAL_POSTGRES_H

typedef struct rival_postgres rival_postgres;

// Connects and prepares what is called below; null if that fails. The table is `store` in the schema `public`; the engine has a store of that name.
rival_postgres *rival_postgres_open(const char *url, const char *store);
void rival_postgres_close(rival_postgres *connection);
// Runs any statements; returns 0 if they succeed.
int rival_postgres_run(rival_postgres *connection, const char *sql);

// Each is one round trip, with arrays as PostgreSQL writes them, `{a,b}`. They return the number of rows, -1 for an error.
int rival_postgres_put(rival_postgres *connection, const char *keys, const char *values);
int rival_postgres_get(rival_postgres *connection, const char *keys);
int rival_postgres_scan(rival_postgres *connection, const char *from, const char *to);
// The same for the engine's store: its latest version, and a commit that depends on the keys it puts, which nobody else changes. 1 if it was performed.
int rival_postgres_head(rival_postgres *connection);
int rival_postgres_commit(rival_postgres *connection, const char *keys, const char *values);

#endif
