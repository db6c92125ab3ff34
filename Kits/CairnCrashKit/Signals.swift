#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

let killSignal = SIGKILL

/// Ends this process at once, cleaning nothing up.
func killThisProcess() -> Never {
    while true { _ = kill(getpid(), SIGKILL) }
}

/// Ends the process `leader` and those that it forked.
func killProcesses(leader: Int32) { _ = kill(-leader, SIGKILL) }

/// Has this process, and those that it forks, be ended together.
func leadProcesses() { _ = setpgid(0, 0) }

/// Ends this process and those that belong to it, as a failure.
func abortProcesses() -> Never {
    while true { _ = kill(0, SIGABRT) }
}

/// Forks this process: returns `nil` in the new one. Swift does not offer this, for good reasons: only a process of one thread may.
func forkThisProcess() -> Int32? {
    typealias Fork = @convention(c) () -> Int32
    let fork = unsafe unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)
    let child = fork()
    precondition(child >= 0, "could not fork")
    return child == 0 ? nil : child
}

/// Ends this process without what others do at their end.
func leaveThisProcess() -> Never { _exit(0) }

/// Gives the processor to another thread, of whatever process.
func letOthersRun() { _ = sched_yield() }

/// Waits for a process that this one forked; returns whether it ended as it should: by itself and without an error, or killed.
func waitForProcess(_ process: Int32) -> Bool {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status == 0 || status & 0x7F == SIGKILL
}

/// Has the system end this process by `SIGALRM` if it still runs then.
func endThisProcess(afterSeconds seconds: UInt32) { _ = alarm(seconds) }
