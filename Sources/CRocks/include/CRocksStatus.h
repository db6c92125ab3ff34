// Status
#ifndef CROCKS_STATUS_H
#define CROCKS_STATUS_H

#include "CRocksBase.h"

CRK_BEGIN

// RocksDB's own codes (rocksdb::Status::Code) are passed on as they are; those from 200 are added.
enum crk_code {
    CRK_OK = 0,
    CRK_NOT_FOUND = 1,
    CRK_CORRUPTION = 2,
    CRK_NOT_SUPPORTED = 3,
    CRK_INVALID_ARGUMENT = 4,
    CRK_IO_ERROR = 5,
    CRK_MERGE_IN_PROGRESS = 6,
    CRK_INCOMPLETE = 7,
    CRK_SHUTDOWN_IN_PROGRESS = 8,
    CRK_TIMED_OUT = 9,
    CRK_ABORTED = 10,
    CRK_BUSY = 11,
    CRK_EXPIRED = 12,
    CRK_TRY_AGAIN = 13,
    CRK_COMPACTION_TOO_LARGE = 14,
    CRK_COLUMN_FAMILY_DROPPED = 15,
    CRK_CLOSED = 200,          // the handle is closed
    CRK_IN_USE = 201,          // closing refused: objects of the handle are still alive
    CRK_OUT_OF_MEMORY = 202,   // std::bad_alloc
    CRK_EXCEPTION = 203,       // any other C++ exception
    CRK_LOG_TRUNCATED = 205,   // the requested changes are not in the log
    CRK_REFUSED = 204,         // RocksDB would abort the process or misread data
    CRK_WRONG_KEY = 206,       // files are encrypted with another key, or unexpectedly, or not at all
    CRK_LOCKED = 207,          // the lock file of a database is held by another opener
    CRK_NO_SPACE = 208,        // these five: an IOError, told apart by the system's error number
    CRK_PERMISSION_DENIED = 209,
    CRK_IS_DIRECTORY = 210,
    CRK_NOT_A_DIRECTORY = 211,
    CRK_TOO_LARGE = 212,
    CRK_NOT_WRITABLE = 213,    // a write to something that was opened for reading only
};

typedef struct crk_status {
    uint8_t code, subcode, severity;
    bool retryable;
    char *CRK_NULLABLE message;  // UTF-8 or arbitrary bytes, owned by the receiver
    size_t message_size;
} CRK_SAFE crk_status;

void crk_status_free(crk_status status);

// The version of the linked RocksDB library: major * 1,000,000 + minor * 1,000 + patch.
uint32_t crk_version(void);

CRK_END

#endif
