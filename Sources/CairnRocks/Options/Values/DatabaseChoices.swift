/// What opening does about a damaged write-ahead log; RocksDB's `WALRecoveryMode`.
public struct WALRecoveryMode: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An incomplete last record, as a killed process leaves it, is dropped; any other damage throws and nothing is touched.
    /// Cairn's default.
    public static let tolerateCorruptedTail = WALRecoveryMode(rawValue: "kTolerateCorruptedTailRecords")
    /// Any damage throws, an incomplete last record included.
    public static let absoluteConsistency = WALRecoveryMode(rawValue: "kAbsoluteConsistency")
    /// Opens with everything before the first damage and silently drops all behind it. RocksDB's default.
    public static let pointInTime = WALRecoveryMode(rawValue: "kPointInTimeRecovery")
    /// Opens with every record that can be read, in whatever state that leaves the data: to save what can be saved.
    public static let skipAnyCorrupted = WALRecoveryMode(rawValue: "kSkipAnyCorruptedRecords")
}

/// How severe a message is; RocksDB's `InfoLogLevel`.
public struct InfoLogLevel: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Everything.
    public static let debug = InfoLogLevel(rawValue: "DEBUG_LEVEL")
    /// What happens: flushes, compactions.
    public static let info = InfoLogLevel(rawValue: "INFO_LEVEL")
    /// What may be wrong.
    public static let warn = InfoLogLevel(rawValue: "WARN_LEVEL")
    /// What went wrong.
    public static let error = InfoLogLevel(rawValue: "ERROR_LEVEL")
    /// What stopped the database.
    public static let fatal = InfoLogLevel(rawValue: "FATAL_LEVEL")
    /// The head of the log alone: version and options.
    public static let header = InfoLogLevel(rawValue: "HEADER_LEVEL")

    init(shimLevel: UInt8) {
        let levels: [InfoLogLevel] = [.debug, .info, .warn, .error, .fatal, .header]
        self = levels[min(Int(shimLevel), levels.count - 1)]
    }
}

/// What the operating system is told about how a file will be read; RocksDB's `AccessHint`.
public struct AccessHint: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing.
    public static let none = AccessHint(rawValue: "NONE")
    /// No particular pattern.
    public static let normal = AccessHint(rawValue: "NORMAL")
    /// From front to back.
    public static let sequential = AccessHint(rawValue: "SEQUENTIAL")
    /// All of it, soon.
    public static let willNeed = AccessHint(rawValue: "WILLNEED")
}

/// A tier of caches; RocksDB's `CacheTier`.
public struct CacheTier: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The block cache alone.
    public static let memory = CacheTier(rawValue: "kVolatileTier")
    /// A cache behind it as well, if it has one.
    public static let secondary = CacheTier(rawValue: "kNonVolatileBlockTier")
}

/// How a checksum of a whole file is made; RocksDB's `FileChecksumGenFactory`.
public struct FileChecksumFactory: OptionObject {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = Self.canonical(rawValue) }

    /// None is made.
    public static let none = FileChecksumFactory(rawValue: "nullptr")
    /// CRC-32C.
    public static let crc32c = FileChecksumFactory(rawValue: "FileChecksumGenCrc32cFactory")
}

/// How warm data is, for file systems that know storage tiers; RocksDB's `Temperature`.
public struct Temperature: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing is said.
    public static let unknown = Temperature(rawValue: "kUnknown")
    /// Often used.
    public static let hot = Temperature(rawValue: "kHot")
    /// Sometimes used.
    public static let warm = Temperature(rawValue: "kWarm")
    /// Hardly used.
    public static let cold = Temperature(rawValue: "kCold")
}
