// A program may define malloc and its kin itself; all libraries then call these. Each counts and hands on to glibc.
#include "BenchSupport.h"

#if defined(__linux__)
#include <features.h>
#endif
#include <stddef.h>

#if defined(__GLIBC__)

#include <errno.h>

static __thread uint64_t allocations;

uint64_t bench_allocations(void) { return allocations; }
bool bench_counts_allocations(void) { return true; }

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size) {
    allocations++;
    return __libc_realloc(memory, size);
}
void *memalign(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}
int posix_memalign(void **memory, size_t alignment, size_t size) {
    allocations++;
    void *made = __libc_memalign(alignment, size);
    if (made == NULL) { return ENOMEM; }
    *memory = made;
    return 0;
}

#else

uint64_t bench_allocations(void) { return 0; }
bool bench_counts_allocations(void) { return false; }

#endif
