// Threads that count themselves without making others wait: each on a separate cache line.
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "CCairn.h"

#include <pthread.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>
#endif

#if defined(__SANITIZE_THREAD__)
#define IS_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define IS_WATCHED 1 // It knows of no barrier that one thread makes for another.
#endif
#endif

// The barrier: commands of membarrier, of Linux 4.14, which old headers lack.
enum { barrier_expedited = 8, barrier_register = 16 };

static int barrier(int command) {
#if defined(SYS_membarrier) && !defined(IS_WATCHED)
    return (int)syscall(SYS_membarrier, command, 0, 0);
#else
    (void)command;
    return -1;
#endif
}

_Thread_local uint32_t cairn_slot_of_thread;

static const uint32_t last_line = CAIRN_GATE_LINES - 1; // For all threads that come too late for a separate line.
static _Atomic(uint64_t) taken;                         // The lines that belong to a thread, as bits.
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int has_key;
static int has_barrier;

static uint32_t shared_slot(uint32_t line) { return line * CAIRN_GATE_STRIDE | CAIRN_GATE_SHARED; }

static void give_slot_back(void *unused) {
    (void)unused;
    uint32_t line = cairn_slot_of_thread / CAIRN_GATE_STRIDE;
    // What the thread does from here on, in destructors of others, it does as one of many.
    cairn_slot_of_thread = shared_slot(last_line);
    __c11_atomic_fetch_and(&taken, ~(UINT64_C(1) << line), __ATOMIC_RELEASE);
}

// The other threads are not in the child.
static void begin_anew(void) {
    uint32_t line = cairn_slot_of_thread / CAIRN_GATE_STRIDE;
    int has_line = cairn_slot_of_thread != 0 && line != last_line;
    __c11_atomic_store(&taken, has_line ? UINT64_C(1) << line : 0, __ATOMIC_RELAXED);
    if (has_barrier) barrier(barrier_register);
}

static void prepare(void) {
    has_key = pthread_key_create(&key, give_slot_back) == 0 && pthread_atfork(NULL, NULL, begin_anew) == 0;
    has_barrier = barrier(barrier_register) == 0 && barrier(barrier_expedited) == 0;
}

// Registering takes microseconds before there are other threads, and some ten milliseconds afterwards.
__attribute__((constructor)) static void prepare_early(void) { pthread_once(&once, prepare); }

uint32_t cairn_take_slot(void) {
    pthread_once(&once, prepare);
    uint64_t before = __c11_atomic_load(&taken, __ATOMIC_RELAXED);
    uint32_t line = last_line;
    while (has_key) {
        uint64_t free = ~before & ~(UINT64_C(1) << last_line);
        line = free ? (uint32_t)__builtin_ctzll(free) : last_line;
        if (line == last_line) break;
        if (__c11_atomic_compare_exchange_weak(&taken, &before, before | UINT64_C(1) << line, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) break;
    }
    if (line != last_line && pthread_setspecific(key, &taken) != 0) {
        __c11_atomic_fetch_and(&taken, ~(UINT64_C(1) << line), __ATOMIC_RELEASE);
        line = last_line;
    }
    int is_own = line != last_line && has_barrier;
    return cairn_slot_of_thread = is_own ? line * CAIRN_GATE_STRIDE | CAIRN_GATE_OWN : shared_slot(line);
}

int cairn_gate_fence(void) {
    __c11_atomic_thread_fence(__ATOMIC_SEQ_CST);
    pthread_once(&once, prepare);
    return has_barrier ? barrier(barrier_expedited) : 0;
}
