import CairnToolKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// This program in another process, on the same terminal: what ends a command does not end the shell.
enum ChildProcess {
    /// Runs it to its end. One that a signal ended has failed.
    static func run(_ arguments: [String], _ mode: ShellMode) throws -> ExitStatus {
        unsafe setenv(ShellMode.variable, mode.rawValue, 1)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // Ctrl-C ends the command, although the shell ignores it.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGINT)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var words = unsafe ([CommandLine.arguments[0]] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var process = pid_t()
        let error = unsafe posix_spawnp(&process, words[0]!, nil, &attributes, &words, environ)
        guard error == 0 else { throw Failure(.file, "The command cannot be started: \(unsafe String(cString: strerror(error))).") }
        var status: CInt = 0
        while unsafe waitpid(process, &status, 0) == -1 && errno == EINTR {}
        // As WIFEXITED and WEXITSTATUS have it.
        guard status & 0x7f == 0 else { return .database }
        return ExitStatus(rawValue: (status >> 8) & 0xff) ?? .database
    }
}
