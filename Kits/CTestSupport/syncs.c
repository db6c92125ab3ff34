#define _GNU_SOURCE
#include "CTestSupport.h"

#if defined(__linux__)

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// The dynamic linker finds these functions of the executable before those of libc, for RocksDB's library too.

enum { most = 1 << 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char paths[most][CTS_PATH_SIZE];
static size_t made, recorders;
static atomic_uint delay;

static void record(int descriptor) {
    int error = errno;
    pthread_mutex_lock(&lock);
    if (recorders > 0) {
        if (made < most) {
            char link[32];
            snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
            ssize_t count = readlink(link, paths[made], CTS_PATH_SIZE - 1);
            paths[made][count < 0 ? 0 : count] = 0;
        }
        made += 1;
    }
    pthread_mutex_unlock(&lock);
    if (delay > 0) usleep(delay);
    errno = error;
}

int fsync(int descriptor) {
    record(descriptor);
    return (int)syscall(SYS_fsync, descriptor);
}

int fdatasync(int descriptor) {
    record(descriptor);
    return (int)syscall(SYS_fdatasync, descriptor);
}

bool cts_records_syncs(void) { return true; }

void cts_delay_syncs(unsigned microseconds) { delay = microseconds; }

size_t cts_begin_syncs(void) {
    pthread_mutex_lock(&lock);
    if (recorders == 0) made = 0;
    recorders += 1;
    size_t start = made;
    pthread_mutex_unlock(&lock);
    return start;
}

size_t cts_count_syncs(void) {
    pthread_mutex_lock(&lock);
    size_t count = made;
    pthread_mutex_unlock(&lock);
    return count;
}

void cts_end_syncs(void) {
    pthread_mutex_lock(&lock);
    recorders -= 1;
    pthread_mutex_unlock(&lock);
}

bool cts_sync(size_t index, char path[CTS_PATH_SIZE]) {
    pthread_mutex_lock(&lock);
    bool is_there = index < most;
    if (is_there) memcpy(path, paths[index], CTS_PATH_SIZE);
    pthread_mutex_unlock(&lock);
    return is_there;
}

#else

bool cts_records_syncs(void) { return false; }
void cts_delay_syncs(unsigned microseconds) { (void)microseconds; }
size_t cts_begin_syncs(void) { return 0; }
size_t cts_count_syncs(void) { return 0; }
void cts_end_syncs(void) {}
bool cts_sync(size_t index, char path[CTS_PATH_SIZE]) {
    (void)index, (void)path;
    return false;
}

#endif
