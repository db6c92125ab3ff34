#include "CCairnSQLite.h"
#include "log.h"
#include "still.h"

#include <CCairn.h>
#include <sqlite3.h>
#include <string.h>

static sqlite3_vfs *system_vfs;

static int is_page(int count, sqlite3_int64 offset) { return count == CAIRN_SQLITE_PAGE_SIZE && offset % CAIRN_SQLITE_PAGE_SIZE == 0; }

static uint32_t sum(const void *page, sqlite3_int64 offset) {
    uint32_t number = (uint32_t)(offset / CAIRN_SQLITE_PAGE_SIZE);
    uint8_t bytes[4] = {number, number >> 8, number >> 16, number >> 24};
    return cairn_crc32c(cairn_crc32c(0, bytes, 4), page, CAIRN_SQLITE_PAGE_SIZE - CAIRN_SQLITE_RESERVED);
}

// The end of a page: the checksum, least significant byte first, and its complement, so that a page of zeros has none.
static void seal(uint8_t *end, uint32_t sum) {
    for (int index = 0; index < 4; index++) {
        end[index] = sum >> (8 * index);
        end[index + 4] = ~sum >> (8 * index);
    }
}

static int read_page(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    int code = real(file)->pMethods->xRead(real(file), bytes, count, offset);
    if (!is_page(count, offset)) return code;
    if (code == SQLITE_IOERR_SHORT_READ) {
        // A page that was not written yet has no bytes at all.
        sqlite3_int64 size = 0;
        if (real(file)->pMethods->xFileSize(real(file), &size) == SQLITE_OK && size <= offset) return code;
        return SQLITE_IOERR_DATA;
    }
    if (code != SQLITE_OK) return code;
    uint8_t end[CAIRN_SQLITE_RESERVED];
    seal(end, sum(bytes, offset));
    return memcmp((char *)bytes + count - CAIRN_SQLITE_RESERVED, end, CAIRN_SQLITE_RESERVED) == 0 ? SQLITE_OK : SQLITE_IOERR_DATA;
}

static int checked_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    int code = read_page(file, bytes, count, offset);
    const struct still *still = &((struct layered *)file)->still;
    return still->path != NULL && !cairn_still_is_unchanged(still) ? CAIRN_SQLITE_CHANGED : code;
}

static int checked_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    if (!is_page(count, offset)) return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
    uint8_t page[CAIRN_SQLITE_PAGE_SIZE];
    memcpy(page, bytes, CAIRN_SQLITE_PAGE_SIZE - CAIRN_SQLITE_RESERVED);
    seal(page + CAIRN_SQLITE_PAGE_SIZE - CAIRN_SQLITE_RESERVED, sum(bytes, offset));
    return real(file)->pMethods->xWrite(real(file), page, count, offset);
}

// The rest of a file is SQLite's own.

static int checked_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }
static int checked_truncate(sqlite3_file *file, sqlite3_int64 size) { return real(file)->pMethods->xTruncate(real(file), size); }
static int checked_sync(sqlite3_file *file, int flags) { return real(file)->pMethods->xSync(real(file), flags); }
static int checked_size(sqlite3_file *file, sqlite3_int64 *size) { return real(file)->pMethods->xFileSize(real(file), size); }
int cairn_file_lock(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }
int cairn_file_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }
int cairn_file_is_reserved(sqlite3_file *file, int *result) { return real(file)->pMethods->xCheckReservedLock(real(file), result); }
int cairn_file_control(sqlite3_file *file, int code, void *argument) { return real(file)->pMethods->xFileControl(real(file), code, argument); }
int cairn_file_sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

int cairn_file_characteristics(sqlite3_file *file) {
    int characteristics = real(file)->pMethods->xDeviceCharacteristics(real(file));
#ifdef SQLITE_IOCAP_SUBPAGE_READ
    // Parts of pages would not be checked.
    characteristics &= ~SQLITE_IOCAP_SUBPAGE_READ;
#endif
    return characteristics;
}

static int checked_characteristics(sqlite3_file *file) {
    int is_still = ((struct layered *)file)->still.path != NULL;
    return cairn_file_characteristics(file) | (is_still ? SQLITE_IOCAP_IMMUTABLE : 0);
}

static int checked_shm_map(sqlite3_file *file, int region, int size, int extends, void volatile **address) {
    return real(file)->pMethods->xShmMap(real(file), region, size, extends, address);
}
static int checked_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
static void checked_shm_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int checked_shm_unmap(sqlite3_file *file, int deletes) { return real(file)->pMethods->xShmUnmap(real(file), deletes); }

// Version 2: with shared memory for the log's index, without mapping of the file, which would not be checked.
static const sqlite3_io_methods checked_methods = {
    .iVersion = 2,
    .xClose = checked_close,
    .xRead = checked_read,
    .xWrite = checked_write,
    .xTruncate = checked_truncate,
    .xSync = checked_sync,
    .xFileSize = checked_size,
    .xLock = cairn_file_lock,
    .xUnlock = cairn_file_unlock,
    .xCheckReservedLock = cairn_file_is_reserved,
    .xFileControl = cairn_file_control,
    .xSectorSize = cairn_file_sector_size,
    .xDeviceCharacteristics = checked_characteristics,
    .xShmMap = checked_shm_map,
    .xShmLock = checked_shm_lock,
    .xShmBarrier = checked_shm_barrier,
    .xShmUnmap = checked_shm_unmap,
};

static int checked_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
    if (!(flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL))) return system_vfs->xOpen(system_vfs, name, file, flags, out);
    memset(file, 0, sizeof(struct layered));
    int code = system_vfs->xOpen(system_vfs, name, real(file), flags, out);
    if (code != SQLITE_OK) return code;
    if (flags & SQLITE_OPEN_WAL) {
        file->pMethods = &cairn_log_methods;
        return SQLITE_OK;
    }
    if (real(file)->pMethods->iVersion < 2) {
        // No shared memory, which the store needs.
        real(file)->pMethods->xClose(real(file));
        return SQLITE_CANTOPEN;
    }
    file->pMethods = &checked_methods;
    return SQLITE_OK;
}

static int still_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
    if (!(flags & SQLITE_OPEN_MAIN_DB)) return checked_open(vfs, name, file, flags, out);
    struct stat before;
    int is_there = stat(name, &before) == 0;
    int code = checked_open(vfs, name, file, flags, out);
    if (code != SQLITE_OK) return code;
    if (is_there && cairn_still_begin(&((struct layered *)file)->still, name, &before)) return SQLITE_OK;
    real(file)->pMethods->xClose(real(file));
    file->pMethods = NULL;
    return CAIRN_SQLITE_CHANGED;
}

// The rest of the layer is SQLite's own.

static int checked_delete(sqlite3_vfs *vfs, const char *name, int syncs) { return system_vfs->xDelete(system_vfs, name, syncs); }
static int checked_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
    return system_vfs->xAccess(system_vfs, name, flags, result);
}
static int checked_full_path(sqlite3_vfs *vfs, const char *name, int size, char *path) {
    return system_vfs->xFullPathname(system_vfs, name, size, path);
}
static int checked_randomness(sqlite3_vfs *vfs, int size, char *bytes) { return system_vfs->xRandomness(system_vfs, size, bytes); }
static int checked_sleep(sqlite3_vfs *vfs, int microseconds) { return system_vfs->xSleep(system_vfs, microseconds); }
static int checked_time(sqlite3_vfs *vfs, double *time) { return system_vfs->xCurrentTime(system_vfs, time); }
static int checked_last_error(sqlite3_vfs *vfs, int size, char *text) { return system_vfs->xGetLastError(system_vfs, size, text); }

const char *cairn_sqlite_register(void) {
    static sqlite3_vfs still;
    static sqlite3_vfs vfs = {
        .iVersion = 1,
        .zName = "cairn",
        .xOpen = checked_open,
        .xDelete = checked_delete,
        .xAccess = checked_access,
        .xFullPathname = checked_full_path,
        .xRandomness = checked_randomness,
        .xSleep = checked_sleep,
        .xCurrentTime = checked_time,
        .xGetLastError = checked_last_error,
    };
    system_vfs = sqlite3_vfs_find(NULL);
    if (system_vfs == NULL) return NULL;
    vfs.szOsFile = (int)sizeof(struct layered) + system_vfs->szOsFile;
    vfs.mxPathname = system_vfs->mxPathname;
    still = vfs;
    still.zName = CAIRN_SQLITE_STILL;
    still.xOpen = still_open;
    if (sqlite3_vfs_register(&still, 0) != SQLITE_OK) return NULL;
    return sqlite3_vfs_register(&vfs, 0) == SQLITE_OK ? vfs.zName : NULL;
}
