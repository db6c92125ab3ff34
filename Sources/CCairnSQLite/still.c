#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "still.h"
#include "CCairnSQLite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

// A log can only be left out while nobody adds to it, and a connection without locks keeps nobody from beginning one. So the file's size and time are compared
// after each read: writing to a file changes its time before its content. What is read is then the content at the time of opening, at which there was no
// log that it would have been without.

// The clock of no file system is coarser than 2 seconds.
#define SETTLING 2.1

static struct timespec changed(const struct stat *status) {
#ifdef __APPLE__
    return status->st_mtimespec;
#else
    return status->st_mtim;
#endif
}

static int is_same(const struct stat *a, const struct stat *b) {
    struct timespec time = changed(a), other = changed(b);
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size && time.tv_sec == other.tv_sec && time.tv_nsec == other.tv_nsec;
}

int cairn_still_is_unchanged(const struct still *still) {
    struct stat status;
    return stat(still->path, &status) == 0 && is_same(&status, &still->status);
}

// The size of a file beside the one at `path`; -1 if there is none.
static int64_t size_beside(const char *path, const char *suffix) {
    char name[4096];
    struct stat status;
    if (snprintf(name, sizeof name, "%s%s", path, suffix) >= (int)sizeof name) return -1;
    return stat(name, &status) == 0 ? (int64_t)status.st_size : -1;
}

static int has_log(const char *path) { return size_beside(path, "-wal") > 0 || size_beside(path, "-journal") > 0; }

static int is_recent(const struct stat *status) {
    struct timespec now, time = changed(status);
    clock_gettime(CLOCK_REALTIME, &now);
    double age = (double)(now.tv_sec - time.tv_sec) + (double)(now.tv_nsec - time.tv_nsec) / 1e9;
    return age < SETTLING && age > -SETTLING;
}

int cairn_sqlite_look(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0 || has_log(path)) return CAIRN_SQLITE_LOGGED;
    int creates = size_beside(path, "-wal") < 0 || size_beside(path, "-shm") < 0;
    // If root creates the files, SQLite gives them to the owner of the database.
    int is_own = geteuid() == 0 || geteuid() == status.st_uid;
    return (is_recent(&status) ? 0 : CAIRN_SQLITE_SETTLED) | (creates && !is_own ? CAIRN_SQLITE_OF_OTHERS : 0);
}

int cairn_sqlite_is_still(void *file) {
    struct still *still = &((struct layered *)file)->still;
    // In this order: a log that is gone was moved to the file before, which changed it.
    return still->path != NULL && !has_log(still->path) && cairn_still_is_unchanged(still);
}

int cairn_still_begin(struct still *still, const char *path, const struct stat *before) {
    still->path = path;
    still->status = *before;
    return !is_recent(before) && !has_log(path) && cairn_still_is_unchanged(still);
}

int cairn_sqlite_may_write(const char *path) {
    // Opening and closing it would give up the locks that this process has on it.
    return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 || (errno != EACCES && errno != EPERM && errno != EROFS);
}

int cairn_sqlite_rename(const char *path, const char *destination) {
#if defined(__APPLE__)
    if (renamex_np(path, destination, RENAME_EXCL) == 0) return 0;
    if (errno != ENOTSUP && errno != EINVAL) return errno;
#elif defined(SYS_renameat2)
    // 1 is RENAME_NOREPLACE.
    if (syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, destination, 1) == 0) return 0;
    if (errno != ENOSYS && errno != EINVAL) return errno;
#endif
    if (link(path, destination) == 0) return unlink(path) == 0 ? 0 : errno;
    if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS) return errno;
    // A file system without links.
    struct stat status;
    if (lstat(destination, &status) == 0) return EEXIST;
    return rename(path, destination) == 0 ? 0 : errno;
}
