import BenchKit
import Foundation

/// The peak of a process's memory in bytes, before and after a fetch.
struct Peak: Codable {
    var before: Int
    var after: Int

    /// What a side's fetch needs, measured in a process of its own.
    static func measure(_ program: Program, _ side: any Side, at path: String) throws -> Peak {
        let output = try Child.probe("objects-memory", [path, side.name, program.rawValue])
        return try JSONDecoder().decode(Peak.self, from: Data(output.utf8))
    }

    /// The other end: runs the fetch in this process and prints what it needed.
    static func report(_ program: Program, _ side: any Side, at path: String) throws {
        let before = current
        _ = try program == .simpleFetch ? side.simpleFetch(at: path) : side.complexFetch(at: path)
        print(String(decoding: try JSONEncoder().encode(Peak(before: before, after: current)), as: UTF8.self))
    }

    /// On Linux, this is from `/proc`: `getrusage` there includes the peak of the process that started this one.
    private static var current: Int {
        #if os(Linux)
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1024
        #else
        var usage = rusage()
        _ = unsafe getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss
        #endif
    }
}
