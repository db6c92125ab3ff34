#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The error number of calls after everything stopped.
let inputOutputError = EIO
let interrupted = EINTR

/// Ends a process at once.
func sendKill(_ process: Int32) { _ = kill(process, SIGKILL) }

/// Turns writing to a process that has ended into an error, which would otherwise end the tests.
func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
