// Reports to the thread sanitizer when Swift's Mutex hands over what it guards. The compiler inlines the attempt to lock a free mutex into our code, where the
// sanitizer sees it. A thread that must wait, and one that wakes another, call functions of libswiftSynchronization, which is not built with the sanitizer;
// without this library, what the mutex guards looks unguarded after such a call.
//
// Loaded before libswiftSynchronization (LD_PRELOAD), so that the calls come here first. Linux only: on Apple platforms, the sanitizer knows the lock.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// Part of the sanitizer's runtime. Missing in programs that are not built with it.
__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Mangled names of _MutexHandle's methods, in Swift 6.0 to 6.3.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"

SWIFT void cairn_lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void cairn_unlock(SELF void *mutex) __asm__(UNLOCK);
SWIFT bool cairn_try_lock(SELF void *mutex) __asm__(TRY_LOCK);

SWIFT void cairn_lock(uint32_t thread, SELF void *mutex) {
    SWIFT void (*next)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, LOCK);
    next(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void cairn_unlock(SELF void *mutex) {
    SWIFT void (*next)(SELF void *) = dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(mutex);
    next(mutex);
}

SWIFT bool cairn_try_lock(SELF void *mutex) {
    SWIFT bool (*next)(SELF void *) = dlsym(RTLD_NEXT, TRY_LOCK);
    bool isLocked = next(mutex);
    if (isLocked && __tsan_acquire) __tsan_acquire(mutex);
    return isLocked;
}
