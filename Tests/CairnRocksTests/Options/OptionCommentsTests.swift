import CairnCore
import CairnRocks
import Foundation
import Testing

@Suite struct OptionCommentsTests {
    /// What a comment names as the default is the library's; `docs/generated/configuration.md` is made of the comments.
    @Test(.enabled(if: RocksDB.libraryVersion.hasPrefix("7.8."), "the lists are those of RocksDB 7.8"))
    func commentsTellTheDefaults() throws {
        let documented = try OptionComments.read()
        for option in OptionsTests.all {
            let defaults =
                switch option.kind {
                case .database: DatabaseOptions.defaults
                case .family: ColumnFamilyOptions.defaults
                case .table: TableOptions.defaults
                }
            let comment = try #require(documented[option.name]?.text, "\(option.name) has no comment")
            #expect(comment.contains("RocksDB's `\(option.name)`."), "the comment does not name \(option.name)")
            guard let stated = comment.firstMatch(of: /Default: ((?:[^.;,]|[.,](?=[0-9]))+)/)?.1 else {
                // Those that are options of their own have defaults of their own.
                #expect(defaults[option.name]?.contains("=") == true, "\(option.name) does not say its default")
                continue
            }
            let library = Self.ours[option.name] ?? defaults[option.name] ?? ""
            let texts = Self.texts(of: stated.trimmingCharacters(in: .whitespaces))
            #expect(
                texts.contains { $0 == library || Double($0) != nil && Double($0) == Double(library) },
                "\(option.name): \(stated), and the library says \(library)"
            )
        }
    }

    /// The defaults that are not the library's.
    private static let ours = [
        "wal_recovery_mode": WALRecoveryMode.tolerateCorruptedTail.rawValue, "enforce_single_del_contracts": "false",
    ]

    /// How RocksDB may write what a comment says.
    private static func texts(of stated: String) -> [String] {
        if let choice = choices.first(where: { stated.hasPrefix("``\($0.key)``") }) { return [choice.value] }
        // RocksDB decides by how its headers were compiled.
        if stated.hasPrefix("``InfoLogLevel/info``") { return [InfoLogLevel.info.rawValue, InfoLogLevel.debug.rawValue] }
        if let words = words[stated] { return words }
        if stated.hasPrefix("1 for each") { return [Array(repeating: "1", count: ColumnFamilyOptions().levelCount).joined(separator: ":")] }
        let parts = stated.replacing("`", with: "").replacing(",", with: "").split(separator: " ")
        guard parts.count > 1, let number = Int(parts[0]) else { return [String(parts[0])] }
        switch parts[1] {
        case "KiB": return ["\(number << 10)"]
        case "MiB": return ["\(number << 20)"]
        case "GiB": return ["\(number << 30)"]
        // RocksDB counts some in seconds, others in microseconds.
        case "µs": return ["\(number)"]
        case "s": return ["\(number)", "\(number * 1_000_000)"]
        case "min": return ["\(number * 60)", "\(number * 60_000_000)"]
        case "h": return ["\(number * 3_600)", "\(number * 3_600_000_000)"]
        default: return [stated]
        }
    }

    private static let words: [String: [String]] = [
        "zero": ["0"], "empty": [""], "nil": ["18446744073709551614"], "none": ["kNoCompression", "nullptr"],
        "inherited": ["kDisableCompressionOption"],
    ]

    private static let choices: [String: String] = [
        "WALRecoveryMode/tolerateCorruptedTail": WALRecoveryMode.tolerateCorruptedTail.rawValue,
        "AccessHint/normal": AccessHint.normal.rawValue, "CacheTier/secondary": CacheTier.secondary.rawValue,
        "FileChecksumFactory/none": FileChecksumFactory.none.rawValue,
        "Compression/snappy": Compression.snappy.rawValue, "CompactionStyle/level": CompactionStyle.level.rawValue,
        "CompactionPriority/minOverlappingRatio": CompactionPriority.minOverlappingRatio.rawValue,
        "SSTPartitioner/none": SSTPartitioner.none.rawValue, "Temperature/unknown": Temperature.unknown.rawValue,
        "MemtableFactory/skipList": MemtableFactory.skipList.rawValue, "PrefixExtractor/none": PrefixExtractor.none.rawValue,
        "TableFormat/blockBased": TableFormat.blockBased.rawValue, "CachePrepopulation/never": CachePrepopulation.never.rawValue,
        "DataBlockIndexType/binarySearch": DataBlockIndexType.binarySearch.rawValue, "ChecksumType/xxh3": ChecksumType.xxh3.rawValue,
        "FlushBlockPolicy/bySize": FlushBlockPolicy.bySize.rawValue, "FilterPolicy/none": FilterPolicy.none.rawValue,
        "IndexType/binarySearch": IndexType.binarySearch.rawValue, "IndexShortening/separators": IndexShortening.separators.rawValue,
    ]
}

/// The comments of the typed options, from the sources.
enum OptionComments {
    static func read() throws -> [String: (text: String, isChangeable: Bool)] {
        let options = URL(fileURLWithPath: #filePath + "/../../../..").standardizedFileURL
            .appendingPathComponent("Sources/CairnRocks/Options")
        var result: [String: (text: String, isChangeable: Bool)] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: options.path) where file.hasSuffix(".swift") {
            var comment = ""
            for line in try String(contentsOf: options.appendingPathComponent(file), encoding: .utf8).split(separator: "\n") {
                let line = line.drop { $0 == " " }
                if line.hasPrefix("///") {
                    comment += line.dropFirst(3)
                } else if line.hasPrefix("get {") || line.contains("= self[\""), let name = line.split(separator: "\"").dropFirst().first {
                    result[String(name)] = (comment, comment.lowercased().contains("changeable while"))
                } else if line.hasPrefix("}") {
                    comment = ""
                }
            }
        }
        return result
    }
}
