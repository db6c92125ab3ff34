import Foundation
import Testing

/// A shell that runs servers, and stops them when this process ends, however it does: then nobody holds the shell's standard input.
public final class ServerShell: @unchecked Sendable {
    private let shell: ChildProcess
    /// The first line that the shell has written.
    public let answer: String

    /// Starts bash with a script, and waits for its first line.
    ///
    /// - Parameters:
    ///   - arguments: `$0` and those that follow.
    ///   - user: Who runs it instead of root.
    public init(_ script: String, _ arguments: [String], insteadOfRoot user: String? = nil) throws {
        let asUser = if let user, geteuid() == 0 { ["/usr/sbin/runuser", "-u", user, "--"] } else { [String]() }
        let command = asUser + ["/bin/bash", "-c", script] + arguments
        shell = try ChildProcess(command[0], Array(command.dropFirst()))
        answer = try #require(shell.readLine(), "the shell has ended")
    }

    deinit {
        try? shell.closeInput()
        _ = try? shell.waitForEnd()
    }

    /// Writes a line, which the script must answer with `ok`.
    public func command(_ line: String) throws {
        try shell.writeLine(line)
        let answer = shell.readLine()
        try #require(answer == "ok", "\(answer ?? "the shell has ended")")
    }
}
