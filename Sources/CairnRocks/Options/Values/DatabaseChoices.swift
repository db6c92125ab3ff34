/// How opening handles a damaged write-ahead log; RocksDB's `WALRecoveryMode`.
public struct WALRecoveryMode: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Drops an incomplete last record, such as a killed process leaves behind; throws on any other damage and changes nothing. Cairn's default.
    public static let tolerateCorruptedTail = WALRecoveryMode(rawValue: "kTolerateCorruptedTailRecords")
    /// Throws on any damage, including an incomplete last record.
    public static let absoluteConsistency = WALRecoveryMode(rawValue: "kAbsoluteConsistency")
    /// Opens with everything before the first damage and silently drops everything after it. RocksDB's default.
    public static let pointInTime = WALRecoveryMode(rawValue: "kPointInTimeRecovery")
    /// Opens with every record that can be read, in whatever state that leaves the data: to salvage what is left.
    public static let skipAnyCorrupted = WALRecoveryMode(rawValue: "kSkipAnyCorruptedRecords")
}

/// The severity of a message; RocksDB's `InfoLogLevel`.
public struct InfoLogLevel: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// All messages.
    public static let debug = InfoLogLevel(rawValue: "DEBUG_LEVEL")
    /// Normal events: flushes, compactions.
    public static let info = InfoLogLevel(rawValue: "INFO_LEVEL")
    /// Possible problems.
    public static let warn = InfoLogLevel(rawValue: "WARN_LEVEL")
    /// Errors.
    public static let error = InfoLogLevel(rawValue: "ERROR_LEVEL")
    /// Errors that stopped the database.
    public static let fatal = InfoLogLevel(rawValue: "FATAL_LEVEL")
    /// Only the header of the log: version and options.
    public static let header = InfoLogLevel(rawValue: "HEADER_LEVEL")

    init(shimLevel: UInt8) {
        let levels: [InfoLogLevel] = [.debug, .info, .warn, .error, .fatal, .header]
        self = levels[min(Int(shimLevel), levels.count - 1)]
    }
}

/// The expected access pattern of a file, as announced to the operating system; RocksDB's `AccessHint`.
public struct AccessHint: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No announcement.
    public static let none = AccessHint(rawValue: "NONE")
    /// No particular pattern.
    public static let normal = AccessHint(rawValue: "NORMAL")
    /// From beginning to end.
    public static let sequential = AccessHint(rawValue: "SEQUENTIAL")
    /// The whole file, soon.
    public static let willNeed = AccessHint(rawValue: "WILLNEED")
}

/// A cache tier; RocksDB's `CacheTier`.
public struct CacheTier: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Only the block cache.
    public static let memory = CacheTier(rawValue: "kVolatileTier")
    /// The block cache and its secondary cache, if it has one.
    public static let secondary = CacheTier(rawValue: "kNonVolatileBlockTier")
}

/// How the checksum of a whole file is computed; RocksDB's `FileChecksumGenFactory`.
public struct FileChecksumFactory: OptionObject {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = Self.canonical(rawValue) }

    /// No checksum.
    public static let none = FileChecksumFactory(rawValue: "nullptr")
    /// CRC-32C.
    public static let crc32c = FileChecksumFactory(rawValue: "FileChecksumGenCrc32cFactory")
}

/// The temperature of data, for file systems with storage tiers; RocksDB's `Temperature`.
public struct Temperature: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Unspecified.
    public static let unknown = Temperature(rawValue: "kUnknown")
    /// Frequently used.
    public static let hot = Temperature(rawValue: "kHot")
    /// Occasionally used.
    public static let warm = Temperature(rawValue: "kWarm")
    /// Rarely used.
    public static let cold = Temperature(rawValue: "kCold")
}
