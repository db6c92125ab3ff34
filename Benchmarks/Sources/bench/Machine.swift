import CairnRocks
import Foundation

/// Where a measurement was made: without this, its numbers say nothing.
struct Machine {
    let processor: String
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let system: String
    let library = RocksDB.libraryVersion

    init() {
        processor = Self.value(of: "model name", in: "/proc/cpuinfo", separator: ":") ?? "unknown processor"
        system =
            Self.value(of: "PRETTY_NAME", in: "/etc/os-release", separator: "=") ?? ProcessInfo.processInfo.operatingSystemVersionString
    }

    var description: String { "\(processor), \(cores) cores; \(system); RocksDB \(library)" }

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
