#define _GNU_SOURCE
#include "CTestSupport.h"

#if defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/magic.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

// RocksDB reserves 70 MiB for each log. A disk only notes that; a file system in memory fills as many pages with zeros, which took a quarter of all tests'
// time. Like `fsync` in syncs.c, the dynamic linker finds this function before that of libc.

static int allocate(int descriptor, int mode, off_t offset, off_t length) {
    struct statfs disk;
    // What keeps the size of the file is only a hint.
    if (mode == FALLOC_FL_KEEP_SIZE && fstatfs(descriptor, &disk) == 0 && disk.f_type == TMPFS_MAGIC) return 0;
    return (int)syscall(SYS_fallocate, descriptor, mode, offset, length);
}

int fallocate(int descriptor, int mode, off_t offset, off_t length) { return allocate(descriptor, mode, offset, length); }

int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) { return allocate(descriptor, mode, offset, length); }

#endif
