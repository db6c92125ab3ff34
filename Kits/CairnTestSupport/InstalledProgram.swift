import Foundation

/// Programs of other projects, for tests that need them.
public enum InstalledProgram {
    /// The path of the first of these that is installed.
    public static func path(_ names: String...) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return names.lazy.flatMap { name in folders.map { "\($0)/\(name)" } }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

/// Programs that may do only what the modes of files allow, even if the user is root.
public enum OrdinaryRights {
    private static let setpriv = InstalledProgram.path("setpriv")
    public static var arePossible: Bool { geteuid() != 0 || setpriv != nil }
    /// Why a test is skipped if they are not.
    public static let reason = "needs setpriv, since root may read everything"

    /// Runs an executable as ``runTool(_:_:stdin:environment:timeout:)`` does.
    public static func run(_ tool: String, _ arguments: [String], environment: [String: String] = [:]) throws -> ToolResult {
        guard geteuid() == 0, let setpriv else { return try runTool(tool, arguments, environment: environment) }
        let capabilities = "-dac_override,-dac_read_search"
        let rights = ["--bounding-set=\(capabilities)", "--inh-caps=\(capabilities)", "--", toolPath(tool)]
        return try runTool(setpriv, rights + arguments, environment: environment)
    }
}
