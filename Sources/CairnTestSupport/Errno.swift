#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What calls fail with after everything stopped.
let inputOutputError = EIO
let interrupted = EINTR

/// Ends a process at once.
func sendKill(_ process: Int32) { _ = kill(process, SIGKILL) }
