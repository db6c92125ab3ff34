#define _GNU_SOURCE
#include "CTestSupport.h"

#if defined(__linux__) && defined(__x86_64__)

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

// The range is read-only, so that each store to it ends in SIGSEGV. The handler lets the range be written and has the processor stop after one
// instruction (the trap flag); SIGTRAP then copies what has changed, and makes the range read-only again.

enum { window = 128, trap_flag = 0x100 };

static struct {
    uint8_t *start;
    size_t count;
    uint8_t *copies;
    size_t limit, made;
    bool is_stepping;
    // What is around the address of the current store.
    uint8_t *near;
    size_t near_count;
    uint8_t before[window];
    struct sigaction old_fault, old_trap;
} watch;

static void on_fault(int signal, siginfo_t *info, void *context) {
    (void)signal;
    uint8_t *address = info->si_addr;
    if (watch.is_stepping || address < watch.start || address >= watch.start + watch.count) {
        // Not ours: the instruction is repeated, and goes to the handler that was here before.
        sigaction(SIGSEGV, &watch.old_fault, NULL);
        return;
    }
    watch.near = watch.start + (size_t)(address - watch.start) / 64 * 64;
    size_t left = (size_t)(watch.start + watch.count - watch.near);
    watch.near_count = left < window ? left : window;
    memcpy(watch.before, watch.near, watch.near_count);
    mprotect(watch.start, watch.count, PROT_READ | PROT_WRITE);
    watch.is_stepping = true;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] |= trap_flag;
}

static void on_trap(int signal, siginfo_t *info, void *context) {
    (void)signal;
    (void)info;
    if (!watch.is_stepping) {
        sigaction(SIGTRAP, &watch.old_trap, NULL);
        return;
    }
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~(long long)trap_flag;
    watch.is_stepping = false;
    if (memcmp(watch.before, watch.near, watch.near_count) != 0) {
        if (watch.made < watch.limit) memcpy(watch.copies + watch.made * watch.count, watch.start, watch.count);
        watch.made += 1;
    }
    mprotect(watch.start, watch.count, PROT_READ);
}

bool cts_can_watch(void) { return true; }

int cts_watch(void *start, size_t count, size_t limit) {
    memset(&watch, 0, sizeof watch);
    watch.start = start;
    watch.count = count;
    watch.limit = limit;
    watch.copies = malloc(count * limit);
    if (watch.copies == NULL) return ENOMEM;
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    if (sigaction(SIGSEGV, &action, &watch.old_fault) != 0) return errno;
    action.sa_sigaction = on_trap;
    if (sigaction(SIGTRAP, &action, &watch.old_trap) != 0) return errno;
    return mprotect(start, count, PROT_READ) == 0 ? 0 : errno;
}

size_t cts_end_watch(void) {
    mprotect(watch.start, watch.count, PROT_READ | PROT_WRITE);
    sigaction(SIGSEGV, &watch.old_fault, NULL);
    sigaction(SIGTRAP, &watch.old_trap, NULL);
    return watch.made;
}

const uint8_t *cts_copy(size_t index) { return watch.copies + index * watch.count; }

void cts_free_copies(void) {
    free(watch.copies);
    watch.copies = NULL;
}

#else

bool cts_can_watch(void) { return false; }
int cts_watch(void *start, size_t count, size_t limit) {
    (void)start, (void)count, (void)limit;
    return -1;
}
size_t cts_end_watch(void) { return 0; }
const uint8_t *cts_copy(size_t index) {
    (void)index;
    return 0;
}
void cts_free_copies(void) {}

#endif
