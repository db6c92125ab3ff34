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

/// Has the system end this process by `SIGALRM` if it still runs then.
func endThisProcess(afterSeconds seconds: UInt32) { _ = alarm(seconds) }
