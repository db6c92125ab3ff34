// Locks and waiting in shared memory, and mappings whose file may be cut.
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "CCairn.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#elif defined(__APPLE__)
#include <os/os_sync_wait_on_address.h>
#include <sys/sysctl.h>
#endif

// Locks.

// Next to the mutex is a number that distinguishes a lock from the zeros that remain of it if its file was cut: taking a mutex that turned
// into another kind of mutex, or giving it up, would ruin the list of locks that the C library keeps for each thread.
typedef struct {
    pthread_mutex_t mutex;
    uint32_t mark;
    // A robust mutex names its owner by thread id, which means nothing in another PID namespace. 0: unknown.
    uint64_t pid_namespace;
} shared_lock;
_Static_assert(sizeof(shared_lock) <= CAIRN_SHARED_LOCK_SIZE, "a lock must fit its room");

#if defined(__linux__)

static const uint32_t lock_mark = 0x6b636f4c; // "Lock"

#if defined(__GLIBC__)
// What the C library makes of the attributes below: with any other bits it would do something else altogether.
static _Atomic(int) right_kind;
static int has_right_kind(shared_lock *lock) {
    int kind = __c11_atomic_load(&right_kind, __ATOMIC_RELAXED);
    if (!kind) {
        _Alignas(16) unsigned char room[CAIRN_SHARED_LOCK_SIZE];
        if (cairn_shared_lock_init(room)) return 0;
        kind = ((shared_lock *)room)->mutex.__data.__kind;
        __c11_atomic_store(&right_kind, kind, __ATOMIC_RELAXED);
    }
    return lock->mutex.__data.__kind == kind;
}
static pid_t owner(shared_lock *lock) { return __atomic_load_n(&lock->mutex.__data.__lock, __ATOMIC_RELAXED) & FUTEX_TID_MASK; }
#else
static int has_right_kind(shared_lock *lock) { (void)lock; return 1; }
static pid_t owner(shared_lock *lock) { (void)lock; return 0; }
#endif

static uint64_t pid_namespace(void) {
    struct stat found;
    return stat("/proc/self/ns/pid", &found) ? 0 : found.st_ino;
}

static int is_lost(shared_lock *lock) { return __atomic_load_n(&lock->mark, __ATOMIC_RELAXED) != lock_mark || !has_right_kind(lock); }

int cairn_shared_lock_init(void *lock) {
    pthread_mutexattr_t attributes;
    int error = pthread_mutexattr_init(&attributes);
    if (error) return error;
    // Error checking: the thread that holds the lock learns of it, rather than waiting for itself.
    error = pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    if (!error) error = pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    if (!error) error = pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    if (!error) {
        memset(lock, 0, CAIRN_SHARED_LOCK_SIZE);
        error = pthread_mutex_init(&((shared_lock *)lock)->mutex, &attributes);
    }
    if (!error) {
        __atomic_store_n(&((shared_lock *)lock)->pid_namespace, pid_namespace(), __ATOMIC_RELAXED);
        __atomic_store_n(&((shared_lock *)lock)->mark, lock_mark, __ATOMIC_RELAXED);
    }
    pthread_mutexattr_destroy(&attributes);
    return error;
}

int cairn_shared_lock_is_foreign(const void *lock) {
    uint64_t theirs = __atomic_load_n(&((const shared_lock *)lock)->pid_namespace, __ATOMIC_RELAXED), ours = pid_namespace();
    return theirs != 0 && ours != 0 && theirs != ours;
}

static int taken(shared_lock *lock, int error) { return error == EOWNERDEAD ? pthread_mutex_consistent(&lock->mutex) : error; }

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// For a second at a time: the holder of a lock in a file that is cut cannot wake those who wait for it, and the thread that a damaged lock names may
// not exist.
static int wait_for_lock(shared_lock *lock, uint64_t nanoseconds) {
    const uint64_t start = now(), second = 1000000000u;
    int patience = 5;
    while (!is_lost(lock)) {
        uint64_t passed = now() - start, left = nanoseconds > passed ? nanoseconds - passed : 0, wait = left < second ? left : second;
        if (wait == 0) return ETIMEDOUT;
        struct timespec limit;
        clock_gettime(CLOCK_REALTIME, &limit);
        wait += (uint64_t)limit.tv_nsec;
        limit.tv_sec += (time_t)(wait / second);
        limit.tv_nsec = (long)(wait % second);
        int error = pthread_mutex_timedlock(&lock->mutex, &limit);
        if (error != ETIMEDOUT) return taken(lock, error);
        pid_t thread = owner(lock);
        int is_gone = thread != 0 && kill(thread, 0) != 0 && errno == ESRCH;
        if (is_gone && --patience == 0) return ESRCH;
    }
    return ESTALE;
}

int cairn_shared_lock(void *memory, uint64_t nanoseconds) {
    shared_lock *lock = memory;
    if (is_lost(lock)) return ESTALE;
    int error = pthread_mutex_trylock(&lock->mutex);
    return error == EBUSY ? wait_for_lock(lock, nanoseconds) : taken(lock, error);
}

int cairn_shared_trylock(void *memory) {
    shared_lock *lock = memory;
    return is_lost(lock) ? ESTALE : taken(lock, pthread_mutex_trylock(&lock->mutex));
}

int cairn_shared_unlock(void *memory) {
    shared_lock *lock = memory;
    if (!is_lost(lock)) return pthread_mutex_unlock(&lock->mutex);
    cairn_wake_all(memory);
    return ESTALE;
}

#else

int cairn_shared_lock_init(void *lock) { (void)lock; return ENOTSUP; }
int cairn_shared_lock_is_foreign(const void *lock) { (void)lock; return 0; }
int cairn_shared_lock(void *lock, uint64_t nanoseconds) { (void)lock, (void)nanoseconds; return ENOTSUP; }
int cairn_shared_trylock(void *lock) { (void)lock; return ENOTSUP; }
int cairn_shared_unlock(void *lock) { (void)lock; return ENOTSUP; }

#endif

// Waiting.

#if defined(__linux__)

void cairn_wait(uint32_t *word, uint32_t expected, uint64_t nanoseconds) {
    struct timespec timeout = {.tv_sec = (time_t)(nanoseconds / 1000000000u), .tv_nsec = (long)(nanoseconds % 1000000000u)};
    syscall(SYS_futex, word, FUTEX_WAIT, expected, &timeout, NULL, 0);
}
void cairn_wake_all(uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE, 0x7fffffff, NULL, NULL, 0); }

#elif defined(__APPLE__)

void cairn_wait(uint32_t *word, uint32_t expected, uint64_t nanoseconds) {
    os_sync_wait_on_address_with_timeout(word, expected, sizeof *word, OS_SYNC_WAIT_ON_ADDRESS_SHARED, OS_CLOCK_MACH_ABSOLUTE_TIME,
        nanoseconds);
}
void cairn_wake_all(uint32_t *word) { os_sync_wake_by_address_all(word, sizeof *word, OS_SYNC_WAKE_BY_ADDRESS_SHARED); }

#else
#error "no waiting on shared memory for this system"
#endif

// Mappings.

int cairn_populate(void *start, size_t length) {
#if defined(__linux__)
    return madvise(start, length, 23); // MADV_POPULATE_WRITE, of Linux 5.14, which old headers lack.
#else
    (void)start, (void)length;
    errno = EINVAL;
    return -1;
#endif
}

// Those whose file may be cut:

// The handler reads these while other threads change them: an entry counts while its length is not 0.
static struct {
    _Atomic(uintptr_t) start;
    _Atomic(size_t) length;
    _Atomic(uint32_t *) lost;
} guarded[4096];
static _Atomic(int) guarded_end; // No entry from here on was ever used.
static pthread_mutex_t guard_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction previous_action;
static int is_installed;

static void on_bus_error(int number, siginfo_t *info, void *context) {
    int error = errno;
    uintptr_t address = (uintptr_t)info->si_addr;
    uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    int end = __c11_atomic_load(&guarded_end, __ATOMIC_ACQUIRE);
    for (int index = 0; index < end; index++) {
        size_t length = __c11_atomic_load(&guarded[index].length, __ATOMIC_ACQUIRE);
        uintptr_t start = __c11_atomic_load(&guarded[index].start, __ATOMIC_RELAXED);
        if (length == 0 || address < start || address - start >= length) continue;
        void *page = (void *)(address & ~(page_size - 1));
        // Before another thread can read zeros there.
        uint32_t *lost = __c11_atomic_load(&guarded[index].lost, __ATOMIC_RELAXED);
        __atomic_store_n(lost, 1, __ATOMIC_RELEASE);
        if (mmap(page, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) break;
        errno = error;
        return;
    }
    errno = error;
    if (previous_action.sa_flags & SA_SIGINFO) {
        previous_action.sa_sigaction(number, info, context);
    } else if (previous_action.sa_handler == SIG_DFL || previous_action.sa_handler == SIG_IGN) {
        // The fault happens again, and then does what it always did.
        signal(SIGBUS, SIG_DFL);
    } else {
        previous_action.sa_handler(number);
    }
}

int cairn_guard(const void *start, size_t length, uint32_t *lost) {
    int token = -1;
    pthread_mutex_lock(&guard_lock);
    if (!is_installed) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_sigaction = on_bus_error;
        action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        is_installed = sigaction(SIGBUS, &action, &previous_action) == 0;
    }
    int end = __c11_atomic_load(&guarded_end, __ATOMIC_RELAXED);
    for (int index = 0; is_installed && index < (int)(sizeof guarded / sizeof *guarded); index++) {
        if (index < end && __c11_atomic_load(&guarded[index].length, __ATOMIC_RELAXED) != 0) continue;
        __c11_atomic_store(&guarded[index].start, (uintptr_t)start, __ATOMIC_RELAXED);
        __c11_atomic_store(&guarded[index].lost, lost, __ATOMIC_RELAXED);
        __c11_atomic_store(&guarded[index].length, length, __ATOMIC_RELEASE);
        if (index == end) __c11_atomic_store(&guarded_end, end + 1, __ATOMIC_RELEASE);
        token = index;
        break;
    }
    pthread_mutex_unlock(&guard_lock);
    return token;
}

void cairn_unguard(int token) {
    if (token < 0) return;
    pthread_mutex_lock(&guard_lock);
    __c11_atomic_store(&guarded[token].length, 0, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&guard_lock);
}

// Threads, processes, boots.

struct start {
    void (*body)(void *);
    void *context;
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    start.body(start.context);
    return NULL;
}

int cairn_start_thread(void (*body)(void *), void *context) {
    struct start *start = malloc(sizeof *start);
    if (!start) return ENOMEM;
    *start = (struct start){body, context};
    // Signals go to the threads of the program.
    sigset_t all, before;
    sigfillset(&all);
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int error = pthread_create(&thread, NULL, run, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error) {
        free(start);
        return error;
    }
    return pthread_detach(thread);
}

uintptr_t cairn_thread_id(void) { return (uintptr_t)pthread_self(); }

static _Atomic(uint32_t) fork_count;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

// What a child begins with as zeros.
static struct zone {
    void *memory;
    size_t size;
    struct zone *next;
} *zones;
static pthread_mutex_t zones_lock = PTHREAD_MUTEX_INITIALIZER;

static void before_fork(void) {
    pthread_mutex_lock(&zones_lock);
    pthread_mutex_lock(&guard_lock);
}

static void after_fork(void) {
    pthread_mutex_unlock(&guard_lock);
    pthread_mutex_unlock(&zones_lock);
}

static void after_fork_in_child(void) {
    __c11_atomic_fetch_add(&fork_count, 1, __ATOMIC_RELAXED);
    for (struct zone *zone = zones; zone; zone = zone->next) memset(zone->memory, 0, zone->size);
    after_fork();
}

static void watch_forks(void) { pthread_atfork(before_fork, after_fork, after_fork_in_child); }
__attribute__((constructor)) static void watch_forks_early(void) { pthread_once(&fork_once, watch_forks); }

void cairn_zero_on_fork(void *memory, size_t size) {
    struct zone *zone = malloc(sizeof *zone);
    if (!zone) abort();
    pthread_once(&fork_once, watch_forks);
    *zone = (struct zone){.memory = memory, .size = size};
    pthread_mutex_lock(&zones_lock);
    zone->next = zones;
    zones = zone;
    pthread_mutex_unlock(&zones_lock);
}

void cairn_keep_on_fork(void *memory) {
    pthread_mutex_lock(&zones_lock);
    struct zone **place = &zones;
    while (*place && (*place)->memory != memory) place = &(*place)->next;
    struct zone *found = *place;
    if (found) *place = found->next;
    pthread_mutex_unlock(&zones_lock);
    free(found);
}

uint32_t cairn_fork_count(void) {
    pthread_once(&fork_once, watch_forks);
    return __c11_atomic_load(&fork_count, __ATOMIC_RELAXED);
}

static int hex_digit(int character) {
    if (character >= '0' && character <= '9') return character - '0';
    if (character >= 'a' && character <= 'f') return character - 'a' + 10;
    if (character >= 'A' && character <= 'F') return character - 'A' + 10;
    return -1;
}

void cairn_boot_id(unsigned char bytes[16]) {
    char text[64] = {0};
    memset(bytes, 0, 16);
#if defined(__linux__)
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (!file) return;
    size_t count = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    if (count == 0) return;
#elif defined(__APPLE__)
    size_t count = sizeof text - 1;
    if (sysctlbyname("kern.bootsessionuuid", text, &count, NULL, 0) != 0) return;
#endif
    int digits = 0;
    for (const char *next = text; *next && digits < 32; next++) {
        int digit = hex_digit(*next);
        if (digit < 0) continue;
        bytes[digits / 2] = (unsigned char)(bytes[digits / 2] << 4 | digit);
        digits++;
    }
}
