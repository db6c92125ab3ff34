// Counting and marking.
#ifndef BENCH_SUPPORT_H
#define BENCH_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>

// How many times this thread has allocated memory: malloc, calloc, realloc and their kin, so also Swift objects and C++'s operator new.
uint64_t bench_allocations(void);
// False where the C library offers no way to count (all but glibc): then `bench_allocations` is always 0.
bool bench_counts_allocations(void);

// Processor time of this thread in nanoseconds.
uint64_t bench_thread_nanoseconds(void);

// Call `body`. They do nothing else: a profiler knows each side of a measurement by them.
void bench_measured_subject(void (*body)(void *), void *context);
void bench_measured_rival(void (*body)(void *), void *context);

#endif
