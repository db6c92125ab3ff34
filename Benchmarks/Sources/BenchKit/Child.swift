import Foundation

/// Processes of their own: this program again, for what would show in this one's memory.
public enum Child {
    /// What a probe of a suite prints, run by this program in another process.
    public static func probe(_ name: String, _ arguments: [String]) throws -> String {
        guard let program = Bundle.main.executablePath else { throw Disagreement("this program does not know where it is") }
        return try output(of: program, ["probe", name] + arguments)
    }

    static func output(of program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Disagreement("\(program) \(arguments.joined(separator: " ")) ended with \(process.terminationStatus)")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
