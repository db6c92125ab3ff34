#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension Terminal {
    /// Writes `prompt` to standard error and runs `body`, which reads a line from standard input, a terminal that does not show what is typed.
    ///
    /// Signals that end or stop the process show it again first, or the shell would not. When the process continues, as after `fg`, it asks again.
    package static func withoutEcho(prompt: String, _ body: () throws -> Void) throws {
        var usual = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &usual) == 0 else { return try body() }
        var silent = usual
        silent.c_lflag &= ~tcflag_t(ECHO)
        unsafe question = Question(usual: usual, silent: silent, prompt: Array(prompt.utf8))
        let formers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP].compactMap { number -> (CInt, sigaction)? in
            var former = sigaction()
            unsafe sigaction(number, nil, &former)
            guard unsafe unsafeBitCast(signal(number, act), to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) else {
                _ = signal(number, SIG_IGN)
                return nil
            }
            return (number, former)
        }
        defer {
            for (number, var former) in formers { unsafe sigaction(number, &former, nil) }
        }
        unsafe question.ask()
        defer { unsafe question.end() }
        try body()
    }
}

/// What is being asked. A handler of signals can capture nothing.
private struct Question {
    var usual = termios()
    var silent = termios()
    var prompt: [UInt8] = []

    func ask() {
        var silent = silent
        _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        _ = unsafe prompt.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    func end() {
        // In the background, the terminal is as another program wants it.
        guard tcgetpgrp(STDIN_FILENO) == getpgrp() else { return }
        var usual = usual
        _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &usual)
        // The newline that was typed was not shown either.
        var newline = UInt8(ascii: "\n")
        _ = unsafe write(STDERR_FILENO, &newline, 1)
    }
}

nonisolated(unsafe) private var question = Question()

/// Handles a signal: shows what is typed again, and lets the signal do what it does by default.
private func act(on number: CInt) {
    unsafe question.end()
    _ = signal(number, SIG_DFL)
    _ = raise(number)
    // It waits while it is handled.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    // The process was stopped, and continues.
    _ = signal(number, act)
    unsafe question.ask()
}
