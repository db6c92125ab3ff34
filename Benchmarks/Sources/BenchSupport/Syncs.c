// A disk whose syncs take longer than this machine's.
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "BenchSupport.h"

#if defined(__linux__)

#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint delay;

// The dynamic linker finds these functions of the executable before those of the C library, also for RocksDB and SQLite.
int fsync(int descriptor) {
    if (delay > 0) usleep(delay);
    return (int)syscall(SYS_fsync, descriptor);
}
int fdatasync(int descriptor) {
    if (delay > 0) usleep(delay);
    return (int)syscall(SYS_fdatasync, descriptor);
}

bool bench_delay_syncs(unsigned microseconds) {
    delay = microseconds;
    return true;
}

#else

bool bench_delay_syncs(unsigned microseconds) {
    (void)microseconds;
    return false;
}

#endif
