import BenchSupport
import Foundation

/// Where a measurement was made: without this, its numbers say nothing.
public struct Machine: Codable, Sendable {
    public var processor: String
    public var cores: Int
    /// Bytes.
    public var memory: UInt64
    public var system: String
    public var kernel: String
    /// Programs that wanted a processor, on average of the minute before: more than none is other work.
    public var load: Double
    /// Compilers and libraries with their versions.
    public var versions: [String: String]

    /// This machine.
    public init(libraries: [String: String]) {
        processor = Self.value(of: "model name", in: "/proc/cpuinfo", separator: ":") ?? "unknown processor"
        cores = ProcessInfo.processInfo.activeProcessorCount
        memory = ProcessInfo.processInfo.physicalMemory
        system =
            Self.value(of: "PRETTY_NAME", in: "/etc/os-release", separator: "=") ?? ProcessInfo.processInfo.operatingSystemVersionString
        // Its number, without what those who built it added.
        kernel =
            (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)).map { String($0.prefix { $0 != "-" }) }
            ?? "unknown"
        var average = 0.0
        load = unsafe getloadavg(&average, 1) == 1 ? (average * 10).rounded() / 10 : 0
        versions = libraries
        // Without the address of its sources.
        versions["C compiler"] = unsafe String(cString: bench_c_compiler()).prefix { $0 != "(" }.trimmingCharacters(in: .whitespaces)
        versions["Swift"] = Self.swiftVersion
    }

    public var description: String {
        let gibibytes = Double(memory) / 1_073_741_824
        let programs = versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return
            "\(processor), \(cores) cores, \(fixed(gibibytes, 0)) GiB; \(system), kernel \(kernel); \(programs); load before the run \(fixed(load, 1))"
    }

    /// That of the compiler in the path, by which `scripts/bench` builds.
    private static var swiftVersion: String {
        let output = try? Child.output(of: "/usr/bin/env", ["swift", "--version"])
        let words = output?.split { $0 == " " || $0 == "\n" } ?? []
        guard let place = words.firstIndex(of: "version"), place + 1 < words.endIndex else { return "unknown" }
        return String(words[place + 1])
    }

    private static func value(of key: String, in file: String, separator: Character) -> String? {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: separator, maxSplits: 1)
            guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == key else { continue }
            return parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \"\t"))
        }
        return nil
    }
}
