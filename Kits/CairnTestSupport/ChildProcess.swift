import Dispatch
import Foundation

/// A running executable of the package, or any other: for tests that exchange lines with it, or kill it.
///
/// It is killed when this object is deinitialized, if it is still running.
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
    /// What was read from `output` but not yet returned.
    private var pending = Data()
    private var ending: Ending?

    /// Starts `tool`: the name of an executable product, or a path if it contains a slash. Its standard error goes to ours.
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

    /// Waits for the next line of its standard output and returns it without the line ending; `nil` at the end.
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

    /// Waits until its standard output ends with `text`, or is closed, and returns what came since the last call.
    public func read(upTo text: String) -> String {
        while !pending.suffix(text.utf8.count).elementsEqual(text.utf8) {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            pending += more
        }
        defer { pending = Data() }
        return String(decoding: pending, as: UTF8.self)
    }

    /// Writes a line to its standard input; throws if the process has ended.
    public func writeLine(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Closes its standard input.
    public func closeInput() throws { try input.fileHandleForWriting.close() }

    /// Sends `SIGKILL`: the process ends at once, between any two instructions, and does not clean up.
    public func kill() { if process.isRunning { sendKill(process.processIdentifier) } }

    /// Lets the process run for `duration`, or until it ends if that is earlier, and kills it.
    public func kill(after duration: Duration) throws -> Ending {
        if let ending = wait(upTo: duration) { return ending }
        kill()
        return try waitForEnd()
    }

    /// Waits for the process to end.
    ///
    /// - Throws: ``TimedOut`` after `timeout`; the process is then killed.
    @discardableResult
    public func waitForEnd(timeout: Duration = .seconds(600)) throws -> Ending {
        if let ending = wait(upTo: timeout) { return ending }
        kill()
        _ = wait(upTo: .seconds(10))
        throw TimedOut(description: "\(process.executableURL?.path ?? "a process") did not end within \(timeout)")
    }

    /// Its process identifier, meaningless once it has ended.
    public var processIdentifier: Int32 { process.processIdentifier }

    /// Waits at most `duration` for the process to end; returns `nil` if it is still running.
    public func wait(upTo duration: Duration) -> Ending? {
        if let ending { return ending }
        let nanoseconds = duration / .nanoseconds(1)
        guard ended.wait(timeout: .now() + .nanoseconds(Int(nanoseconds))) == .success else { return nil }
        // It has ended; on Linux, only this releases the process's descriptors.
        process.waitUntilExit()
        let status = process.terminationStatus
        ending = process.terminationReason == .uncaughtSignal ? .killed(signal: status) : .exited(status)
        return ending
    }
}
