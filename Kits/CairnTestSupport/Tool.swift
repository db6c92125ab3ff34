import CairnCore
import Foundation

/// The result of running an executable.
public struct ToolResult: Sendable {
    /// The exit status, or the negated number of the signal that ended it.
    public var status: Int32
    public var standardOutput: String
    public var standardError: String
}

/// Runs an executable product of this package, or any at a path with a slash, until it ends.
///
/// - Parameters:
///   - stdin: The contents of its standard input.
///   - environment: Variables added to those of this process.
///   - timeout: The time after which it is killed and ``ChildProcess/TimedOut`` is thrown.
public func runTool(
    _ tool: String,
    _ arguments: [String] = [],
    stdin: String = "",
    stdinBytes: [UInt8]? = nil,
    environment: [String: String] = [:],
    timeout: Duration = .seconds(600)
) throws -> ToolResult {
    // Files rather than pipes: neither side ever waits for the other to read.
    let directory = try TemporaryDirectory()
    try Data(stdinBytes ?? Array(stdin.utf8)).write(to: URL(fileURLWithPath: directory.path("stdin")))
    try Data().write(to: URL(fileURLWithPath: directory.path("stdout")))
    try Data().write(to: URL(fileURLWithPath: directory.path("stderr")))

    let child = try ChildProcess(
        tool,
        arguments,
        environment: environment,
        standardInput: FileHandle(forReadingAtPath: directory.path("stdin")),
        standardOutput: FileHandle(forWritingAtPath: directory.path("stdout")),
        standardError: FileHandle(forWritingAtPath: directory.path("stderr"))
    )
    let ending = try child.waitForEnd(timeout: timeout)

    func text(_ name: String) throws -> String {
        let file = try File(directory.path(name), [.read])
        return String(decoding: try file.read(Int(file.status().size), at: 0), as: UTF8.self)
    }
    let status =
        switch ending {
        case .exited(let status): status
        case .killed(let signal): -signal
        }
    return ToolResult(status: status, standardOutput: try text("stdout"), standardError: try text("stderr"))
}

/// Returns the path of an executable product of this package, which is where the tests were built.
public func toolPath(_ tool: String) -> String {
    if tool.contains("/") { return tool }
    // On Apple platforms the tests are a bundle that another program loads.
    let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    return tests.bundleURL.deletingLastPathComponentIfBundle.appendingPathComponent(tool).path
}

extension URL {
    fileprivate var deletingLastPathComponentIfBundle: URL { pathExtension == "xctest" ? deletingLastPathComponent() : self }
}
