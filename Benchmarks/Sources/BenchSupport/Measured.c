#include "BenchSupport.h"

#include <time.h>

uint64_t bench_processor_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

const char *bench_c_compiler(void) { return __VERSION__; }

// The empty assembly after the call keeps it from becoming a jump, which would take this function off the stack.
__attribute__((noinline)) void bench_measured_subject(void (*body)(void *), void *context) {
    body(context);
    __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) void bench_measured_rival(void (*body)(void *), void *context) {
    body(context);
    __asm__ volatile("" ::: "memory");
}
