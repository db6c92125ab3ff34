// Counts system calls as strace does, without needing it: the kernel stops the program at each. Instructions likewise.
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "BenchSupport.h"

#include <errno.h>

#if defined(__linux__) && defined(__GLIBC__)

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

// No system call has these numbers; the kernel refuses them and does nothing else.
enum { mark_begin = 4001, mark_end = 4002 };

void bench_trace_begin(void) { syscall(mark_begin, bench_trace_end); }
__attribute__((noinline)) void bench_trace_end(void) { syscall(mark_end); }

static bool is_sync(uint64_t call) {
    return call == SYS_fsync || call == SYS_fdatasync || call == SYS_msync || call == SYS_syncfs || call == SYS_sync;
}

static bool is_write(uint64_t call) {
    return call == SYS_write || call == SYS_pwrite64 || call == SYS_writev || call == SYS_pwritev || call == SYS_pwritev2;
}

// Whether the call gets or returns memory. How many of these there are depends on how full the heap was before; allocations are counted apart.
static bool is_memory(uint64_t call, const uint64_t *arguments) {
    return call == SYS_brk || call == SYS_munmap || call == SYS_mremap || call == SYS_madvise ||
           (call == SYS_mmap && (arguments[3] & MAP_ANONYMOUS));
}

// Which call each thread is in.
enum { most_threads = 256 };
typedef struct {
    pid_t thread;
    uint64_t call, end;
} entered;

static entered *place(entered *threads, pid_t thread) {
    for (int i = 0; i < most_threads; i++) {
        if (threads[i].thread == thread) return &threads[i];
        if (threads[i].thread == 0) {
            threads[i].thread = thread;
            return &threads[i];
        }
    }
    return NULL;
}

#if defined(__x86_64__)
// Lets the thread, which has just been told to begin, take one step after the other, until it is where it ends. 0 or an error number.
static int count_steps(pid_t thread, uint64_t end, bench_trace *trace) {
    for (;;) {
        int status;
        if (ptrace(PTRACE_SINGLESTEP, thread, NULL, 0) < 0) return errno;
        while (waitpid(thread, &status, __WALL) < 0) {
            if (errno != EINTR) return errno;
        }
        if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP) return EINTR;
        errno = 0;
        const uint64_t here = (uint64_t)ptrace(PTRACE_PEEKUSER, thread, offsetof(struct user_regs_struct, rip), NULL);
        if (errno != 0 || here == end) return errno;
        trace->instructions++;
    }
}
#else
static int count_steps(pid_t thread, uint64_t end, bench_trace *trace) { return ENOSYS; }
#endif

// A thread has stopped at the beginning or the end of a call. 0 or an error number.
static int count(pid_t thread, entered *threads, bool *is_counting, bool instructions, bench_trace *trace) {
    struct __ptrace_syscall_info info;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) < 0) return errno == ESRCH ? 0 : errno;
    entered *now = place(threads, thread);
    if (!now) return ENOMEM;
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
        now->call = info.entry.nr;
        if (now->call == mark_begin && instructions) now->end = info.entry.args[0];
        else if (now->call == mark_begin) *is_counting = true;
        else if (now->call == mark_end) *is_counting = false;
        else if (*is_counting && !is_memory(now->call, (const uint64_t *)info.entry.args)) {
            trace->calls++;
            trace->syncs += is_sync(now->call);
            trace->writes += is_write(now->call);
        }
    } else if (info.op == PTRACE_SYSCALL_INFO_EXIT && *is_counting && is_write(now->call) && info.exit.rval > 0) {
        trace->written += (uint64_t)info.exit.rval;
    } else if (info.op == PTRACE_SYSCALL_INFO_EXIT && instructions && now->call == mark_begin) {
        return count_steps(thread, now->end, trace);
    }
    return 0;
}

// Lets the program run from call to call until it ends.
static int follow(pid_t program, bool instructions, bench_trace *trace) {
    entered *threads = calloc(most_threads, sizeof *threads);
    bool is_counting = false;
    int error = threads ? 0 : ENOMEM, status;
    while (!error) {
        pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0) {
            error = errno == EINTR ? 0 : errno;
            continue;
        }
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (thread != program) continue;
            free(threads);
            return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
        }
        int signal = WSTOPSIG(status), event = status >> 16;
        if (signal == (SIGTRAP | 0x80)) {
            error = count(thread, threads, &is_counting, instructions, trace);
            signal = 0;
        } else if (event != 0 || signal == SIGTRAP || signal == SIGSTOP) {
            signal = 0;  // a thread that begins, or exec: nothing that the program should get
        }
        // A thread that was killed meanwhile is waited for like any other.
        if (ptrace(PTRACE_SYSCALL, thread, NULL, signal) < 0 && errno != ESRCH) error = errno;
    }
    free(threads);
    kill(program, SIGKILL);
    waitpid(program, &status, __WALL);
    return error;
}

int bench_trace_run(const char *program, char *const *arguments, bool instructions, bench_trace *trace) {
    memset(trace, 0, sizeof *trace);
    pid_t child = fork();
    if (child < 0) return errno;
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0) _exit(126);
        raise(SIGSTOP);
        execv(program, arguments);
        _exit(127);
    }
    int status;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return errno;
    }
    // It was not allowed to be traced.
    if (!WIFSTOPPED(status)) return EPERM;
    long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
    if (ptrace(PTRACE_SETOPTIONS, child, NULL, options) < 0 || ptrace(PTRACE_SYSCALL, child, NULL, 0) < 0) {
        int error = errno;
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        return error;
    }
    return follow(child, instructions, trace);
}

#else

void bench_trace_begin(void) {}
void bench_trace_end(void) {}

int bench_trace_run(const char *program, char *const *arguments, bool instructions, bench_trace *trace) {
    (void)instructions;
    (void)program;
    (void)arguments;
    *trace = (bench_trace){0};
    return ENOSYS;
}

#endif
