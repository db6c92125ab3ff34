#include "log.h"
#include "CCairnSQLite.h"

#include <string.h>

// The head of a frame, which a page follows: the page's number, the size of the file after a commit or 0, and salts and checksums.
#define FRAME_HEAD 24
#define FRAME (FRAME_HEAD + CAIRN_SQLITE_PAGE_SIZE)
// The head of the log.
#define LOG_HEAD 32
// Frames that are written together, at most: SQLite's layer for Unix writes less than 128 KiB at once.
#define FRAMES 15

// SQLite writes a frame in two calls, its head and its page, and a commit has a frame for each page that it changed. Frames that are appended are kept
// here until the last of the commit, which its head says, and are written in one call. They are written before anything else happens to the file, so
// SQLite sees no difference; other connections look at frames only once the log's index has them, which is after the commit's last.

// Writes what is kept.
static int flush(sqlite3_file *file) {
    struct frames *log = &((struct layered *)file)->frames;
    if (log->count == 0) return SQLITE_OK;
    int count = log->count;
    log->count = 0;
    int code = real(file)->pMethods->xWrite(real(file), log->bytes, count, log->offset);
    // SQLite rolls back, and appends at a place before this.
    if (code != SQLITE_OK) log->end = 0;
    return code;
}

static int has_commit(const uint8_t *head) { return (head[4] | head[5] | head[6] | head[7]) != 0; }

// Keeps a part of a frame that follows what is kept.
static void keep(struct frames *log, const void *bytes, int count, sqlite3_int64 offset) {
    if (log->count == 0) log->offset = offset;
    memcpy(log->bytes + log->count, bytes, count);
    log->count += count;
}

// Whether a write can wait for the page that follows: the head of a frame that is appended. SQLite also writes heads again, without their pages, where a
// commit changed a page twice; those are before the end.
static int can_wait(struct frames *log, int count, sqlite3_int64 offset) {
    if (count != FRAME_HEAD || log->end == 0 || offset < log->end) return 0;
    if (log->bytes == NULL) log->bytes = sqlite3_malloc(FRAMES * FRAME);
    return log->bytes != NULL;
}

static int log_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    struct frames *log = &((struct layered *)file)->frames;
    sqlite3_int64 page = log->page;
    log->page = 0;
    int follows = log->count > 0 && offset == log->offset + log->count;
    if (follows && log->count % FRAME == FRAME_HEAD && count == CAIRN_SQLITE_PAGE_SIZE) {
        int ends = has_commit(log->bytes + log->count - FRAME_HEAD);
        keep(log, bytes, count, offset);
        log->end = offset + count;
        return ends || log->count == FRAMES * FRAME ? flush(file) : SQLITE_OK;
    }
    if (!follows || log->count % FRAME != 0) {
        int code = flush(file);
        if (code != SQLITE_OK) return code;
    }
    if (can_wait(log, count, offset)) {
        keep(log, bytes, count, offset);
        return SQLITE_OK;
    }
    int code = flush(file);
    if (code == SQLITE_OK) code = real(file)->pMethods->xWrite(real(file), bytes, count, offset);
    if (code != SQLITE_OK) return code;
    if (count == LOG_HEAD && offset == 0) {
        log->end = LOG_HEAD;
    } else if (offset == page && count == CAIRN_SQLITE_PAGE_SIZE) {
        // A whole frame: this is where this connection appends, wherever it did before.
        log->end = offset + count;
    } else if (count == FRAME_HEAD) {
        log->page = offset + count;
    }
    if (log->end > 0 && log->end < offset + count) log->end = offset + count;
    return SQLITE_OK;
}

static int log_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    int code = flush(file);
    return code == SQLITE_OK ? real(file)->pMethods->xRead(real(file), bytes, count, offset) : code;
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int code = flush(file);
    return code == SQLITE_OK ? real(file)->pMethods->xTruncate(real(file), size) : code;
}

static int log_sync(sqlite3_file *file, int flags) {
    int code = flush(file);
    return code == SQLITE_OK ? real(file)->pMethods->xSync(real(file), flags) : code;
}

static int log_file_size(sqlite3_file *file, sqlite3_int64 *size) {
    int code = flush(file);
    return code == SQLITE_OK ? real(file)->pMethods->xFileSize(real(file), size) : code;
}

// What is kept belongs to no commit.
static int log_close(sqlite3_file *file) {
    sqlite3_free(((struct layered *)file)->frames.bytes);
    return real(file)->pMethods->xClose(real(file));
}

// Version 1: only a database file has shared memory.
const sqlite3_io_methods cairn_log_methods = {
    .iVersion = 1,
    .xClose = log_close,
    .xRead = log_read,
    .xWrite = log_write,
    .xTruncate = log_truncate,
    .xSync = log_sync,
    .xFileSize = log_file_size,
    .xLock = cairn_file_lock,
    .xUnlock = cairn_file_unlock,
    .xCheckReservedLock = cairn_file_is_reserved,
    .xFileControl = cairn_file_control,
    .xSectorSize = cairn_file_sector_size,
    .xDeviceCharacteristics = cairn_file_characteristics,
};
