import Dispatch
import Foundation

/// A running executable of the package, or any other: for tests that talk to it line by line, or kill it.
///
/// Killed at the end of this object's life if it still runs.
public final class ChildProcess {
    /// How a process ended.
    public enum Ending: Hashable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    /// A test that waited too long; the process was killed.
    public struct TimedOut: Error, CustomStringConvertible {
        public let description: String
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let ended = DispatchSemaphore(value: 0)
    /// What was read from `output` and not yet returned.
    private var pending = Data()
    private var ending: Ending?

    /// Starts `tool`: the name of an executable product, or a path if it has a slash. Its standard error goes to ours.
    public convenience init(_ tool: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
        try self.init(tool, arguments, environment: environment, standardInput: nil, standardOutput: nil, standardError: nil)
    }

    /// Standard input and output are pipes to this object unless handles are given.
    init(
        _ tool: String,
        _ arguments: [String],
        environment: [String: String],
        standardInput: FileHandle?,
        standardOutput: FileHandle?,
        standardError: FileHandle?
    ) throws {
        ignoreBrokenPipes()
        process.executableURL = URL(fileURLWithPath: toolPath(tool))
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = standardInput ?? input
        process.standardOutput = standardOutput ?? output
        if let standardError { process.standardError = standardError }
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
    }

    deinit {
        guard ending == nil else { return }
        kill()
        process.waitUntilExit()
    }

    /// The next line of its standard output, without the end of line; waits for it. `nil` at the end.
    public func readLine() -> String? {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: pending[..<end], as: UTF8.self)
                pending = Data(pending[pending.index(after: end)...])
                return line
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty {
                defer { pending = Data() }
                return pending.isEmpty ? nil : String(decoding: pending, as: UTF8.self)
            }
            pending += more
        }
    }

    /// Writes a line to its standard input; throws where the process has ended.
    public func writeLine(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Ends its standard input.
    public func closeInput() throws { try input.fileHandleForWriting.close() }

    /// Sends `SIGKILL`: the process ends at once, between any two instructions, and cleans nothing up.
    public func kill() { if process.isRunning { sendKill(process.processIdentifier) } }

    /// Lets it run for `duration`, or to its own end if that comes first, and kills it.
    public func kill(after duration: Duration) throws -> Ending {
        if let ending = wait(upTo: duration) { return ending }
        kill()
        return try waitForEnd()
    }

    /// Waits for its end.
    ///
    /// - Throws: ``TimedOut`` after `timeout`; the process is killed then.
    @discardableResult
    public func waitForEnd(timeout: Duration = .seconds(600)) throws -> Ending {
        if let ending = wait(upTo: timeout) { return ending }
        kill()
        _ = wait(upTo: .seconds(10))
        throw TimedOut(description: "\(process.executableURL?.path ?? "a process") did not end within \(timeout)")
    }

    /// Its number in the system, of no meaning once it has ended.
    public var processIdentifier: Int32 { process.processIdentifier }

    /// Waits for its end, for so long at most; `nil` if it still runs.
    public func wait(upTo duration: Duration) -> Ending? {
        if let ending { return ending }
        let nanoseconds = duration / .nanoseconds(1)
        guard ended.wait(timeout: .now() + .nanoseconds(Int(nanoseconds))) == .success else { return nil }
        // It has ended; on Linux only this gives the process's descriptors back.
        process.waitUntilExit()
        let status = process.terminationStatus
        ending = process.terminationReason == .uncaughtSignal ? .killed(signal: status) : .exited(status)
        return ending
    }
}
