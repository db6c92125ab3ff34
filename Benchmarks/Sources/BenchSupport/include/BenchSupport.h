// Counting and marking.
#ifndef BENCH_SUPPORT_H
#define BENCH_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>

// How many times this thread has allocated memory: malloc, calloc, realloc and their kin, so also Swift objects and C++'s operator new.
uint64_t bench_allocations(void);
// False where the C library offers no way to count (all but glibc): then `bench_allocations` is always 0.
bool bench_counts_allocations(void);

// Processor time of all threads of this process in nanoseconds.
uint64_t bench_processor_nanoseconds(void);

// Makes each fsync and fdatasync of this process take so much longer; 0: no longer. False where it cannot: outside Linux.
bool bench_delay_syncs(unsigned microseconds);

// The compiler of the rivals.
const char *bench_c_compiler(void);

// Call `body`. They do nothing else: a profiler knows each side of a measurement by them.
void bench_measured_subject(void (*body)(void *), void *context);
void bench_measured_rival(void (*body)(void *), void *context);

// What a program asked of the kernel, in all its threads, between its calls of `bench_trace_begin` and `bench_trace_end`.
typedef struct bench_trace {
    uint64_t calls;    // system calls, without those that get or return memory
    uint64_t syncs;    // of these fsync, fdatasync, msync, syncfs and sync
    uint64_t writes;   // of these write, pwrite and their kin
    uint64_t written;  // the bytes that they wrote
    uint64_t instructions; // where they are counted: those of the thread that called `bench_trace_begin`
} bench_trace;

// Runs a program under ptrace, and counts; with `instructions`, one after the other, instead of system calls: microseconds for each, and only on
// x86-64. `arguments` ends with NULL. Returns 0, an error number if the system refuses (ENOSYS where there is no
// such ptrace), or -1 if the program failed.
int bench_trace_run(const char *program, char *const *arguments, bool instructions, bench_trace *trace);
// Called by the program itself.
void bench_trace_begin(void);
void bench_trace_end(void);

#endif
