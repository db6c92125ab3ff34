// libpq, the client library of PostgreSQL. Where its headers are not installed, these functions take its place, so that everything is built; nothing can be
// opened then.
#pragma once

#if __has_include(<libpq-fe.h>)

#include <libpq-fe.h>

static inline int cairn_has_libpq(void) { return 1; }

#else

#include <stddef.h>

static inline int cairn_has_libpq(void) { return 0; }

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef enum { CONNECTION_OK, CONNECTION_BAD } ConnStatusType;
typedef enum {
    PGRES_COMMAND_OK = 1,
    PGRES_TUPLES_OK,
    PGRES_BAD_RESPONSE = 5,
    PGRES_FATAL_ERROR = 7,
    PGRES_PIPELINE_SYNC = 10
} ExecStatusType;
typedef enum { PQERRORS_DEFAULT = 1, PQERRORS_SQLSTATE = 3 } PGVerbosity;
typedef struct { char *keyword, *envvar, *compiled, *val, *label, *dispchar; int dispsize; } PQconninfoOption;
typedef struct { char *relname; int be_pid; char *extra; } PGnotify;
typedef void (*PQnoticeProcessor)(void *, const char *);

static inline PQconninfoOption *PQconninfoParse(const char *text, char **message) { return NULL; }
static inline PQconninfoOption *PQconninfo(PGconn *connection) { return NULL; }
static inline void PQconninfoFree(PQconninfoOption *options) {}
static inline PGconn *PQconnectdbParams(const char *const *keywords, const char *const *values, int expand) { return NULL; }
static inline ConnStatusType PQstatus(const PGconn *connection) { return CONNECTION_BAD; }
static inline char *PQerrorMessage(const PGconn *connection) { return NULL; }
static inline PGVerbosity PQsetErrorVerbosity(PGconn *connection, PGVerbosity verbosity) { return PQERRORS_DEFAULT; }
static inline void PQreset(PGconn *connection) {}
static inline int PQsocket(const PGconn *connection) { return -1; }
static inline int PQsetnonblocking(PGconn *connection, int value) { return -1; }
static inline PQnoticeProcessor PQsetNoticeProcessor(PGconn *connection, PQnoticeProcessor processor, void *context) { return NULL; }
static inline void PQfinish(PGconn *connection) {}
static inline int PQenterPipelineMode(PGconn *connection) { return 0; }
static inline int PQexitPipelineMode(PGconn *connection) { return 0; }
static inline int PQpipelineSync(PGconn *connection) { return 0; }
static inline int PQsendQuery(PGconn *connection, const char *sql) { return 0; }
static inline int PQsendPrepare(PGconn *connection, const char *name, const char *sql, int count, const unsigned *types) { return 0; }
static inline int PQsendQueryPrepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths, const int *formats, int format
) { return 0; }
static inline int PQflush(PGconn *connection) { return -1; }
static inline int PQconsumeInput(PGconn *connection) { return 0; }
static inline int PQisBusy(PGconn *connection) { return 0; }
static inline PGresult *PQgetResult(PGconn *connection) { return NULL; }
static inline PGnotify *PQnotifies(PGconn *connection) { return NULL; }
static inline ExecStatusType PQresultStatus(const PGresult *result) { return PGRES_FATAL_ERROR; }
static inline char *PQresultErrorMessage(const PGresult *result) { return NULL; }
static inline char *PQresultErrorField(const PGresult *result, int field) { return NULL; }
static inline int PQntuples(const PGresult *result) { return 0; }
static inline int PQgetisnull(const PGresult *result, int row, int column) { return 1; }
static inline char *PQgetvalue(const PGresult *result, int row, int column) { return NULL; }
static inline int PQgetlength(const PGresult *result, int row, int column) { return 0; }
static inline void PQclear(PGresult *result) {}
static inline void PQfreemem(void *memory) {}

#endif
