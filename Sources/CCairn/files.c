#if defined(__linux__)
#define _GNU_SOURCE // F_OFD_SETLK
#endif
#include "CCairn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

void cairn_error_text(int error, char *text, size_t capacity) {
#if defined(__GLIBC__)
    // The GNU variant returns the text, which may or may not be in the buffer given.
    char buffer[256];
    snprintf(text, capacity, "%s", strerror_r(error, buffer, sizeof buffer));
#else
    if (strerror_r(error, text, capacity) != 0) snprintf(text, capacity, "error %d", error);
#endif
}

#if defined(F_OFD_SETLK)

static int set_lock(int descriptor, short type, int waits, int64_t start, int64_t count) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = count}; // l_pid must be 0.
    return fcntl(descriptor, waits ? F_OFD_SETLKW : F_OFD_SETLK, &lock);
}

int cairn_lock(int descriptor, int exclusive, int waits, int64_t start, int64_t count) {
    return set_lock(descriptor, exclusive ? F_WRLCK : F_RDLCK, waits, start, count);
}
int cairn_unlock(int descriptor) { return set_lock(descriptor, F_UNLCK, 0, 0, 0); }

#else

int cairn_lock(int descriptor, int exclusive, int waits, int64_t start, int64_t count) {
    (void)start, (void)count;
    return flock(descriptor, (exclusive ? LOCK_EX : LOCK_SH) | (waits ? 0 : LOCK_NB));
}
int cairn_unlock(int descriptor) { return flock(descriptor, LOCK_UN); }

#endif
