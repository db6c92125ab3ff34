public import CairnCore

/// A way to compress; RocksDB's `CompressionType`. Opening throws ``RocksError/Code/invalidArgument`` if the library was built without it.
public struct Compression: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Stored as it is.
    public static let none = Compression(rawValue: "kNoCompression")
    /// Fast, moderate ratio.
    public static let snappy = Compression(rawValue: "kSnappyCompression")
    /// Like snappy, often faster.
    public static let lz4 = Compression(rawValue: "kLZ4Compression")
    /// LZ4's format, compressed harder; read as fast.
    public static let lz4hc = Compression(rawValue: "kLZ4HCCompression")
    /// High ratio, fast to read: for most of the data.
    public static let zstd = Compression(rawValue: "kZSTD")
    /// Deflate.
    public static let zlib = Compression(rawValue: "kZlibCompression")
    /// High ratio, slow.
    public static let bzip2 = Compression(rawValue: "kBZip2Compression")
    /// No choice of its own: ``ColumnFamilyOptions/compression`` decides. For ``ColumnFamilyOptions/bottommostCompression`` only.
    public static let inherited = Compression(rawValue: "kDisableCompressionOption")
}

/// How compression works; RocksDB's `CompressionOptions`. ``NamedOptions`` tells how to set an option by name.
public struct CompressionOptions: NestedOptions {
    public var settings: [String: String] = [:]
    /// RocksDB's defaults.
    public init() {}

    public static let defaults = parseOptionText(ColumnFamilyOptions.defaults["compression_opts"] ?? "")

    /// How hard to compress, on the algorithm's own scale; 32,767: its default. Default: 32,767.
    public var level: Int {
        get { self["level"] }
        set { self["level"] = newValue }
    }
    /// Whether these options count, for ``ColumnFamilyOptions/bottommostCompressionOptions``. Default: false.
    public var enabled: Bool {
        get { self["enabled"] }
        set { self["enabled"] = newValue }
    }
    /// How large a dictionary, drawn from samples of a file, may be; zero: none. For small blocks that resemble each other. Default: zero.
    public var maxDictionarySize: ByteCount {
        get { self["max_dict_bytes"] }
        set { self["max_dict_bytes"] = newValue }
    }
    /// How much sample data ZSTD trains a dictionary on; zero: samples are the dictionary. Needs ``maxDictionarySize``. Default: zero.
    public var zstdMaxTrainingSize: ByteCount {
        get { self["zstd_max_train_bytes"] }
        set { self["zstd_max_train_bytes"] = newValue }
    }
    /// How much of a file is held in memory to take samples; zero: as much as the file holds. Default: zero.
    public var maxDictionaryBufferSize: ByteCount {
        get { self["max_dict_buffer_bytes"] }
        set { self["max_dict_buffer_bytes"] = newValue }
    }
    /// Whether ZSTD's trainer makes the dictionary, rather than its faster finisher. Default: true.
    public var useZSTDDictionaryTrainer: Bool {
        get { self["use_zstd_dict_trainer"] }
        set { self["use_zstd_dict_trainer"] = newValue }
    }
    /// How many threads compress one file; files then exceed their target size. Experimental. Default: 1.
    public var parallelThreads: Int {
        get { self["parallel_threads"] }
        set { self["parallel_threads"] = newValue }
    }
    /// zlib's `windowBits`. Default: -14.
    public var windowBits: Int {
        get { self["window_bits"] }
        set { self["window_bits"] = newValue }
    }
    /// zlib's `strategy`. Default: 0.
    public var strategy: Int {
        get { self["strategy"] }
        set { self["strategy"] = newValue }
    }
}
