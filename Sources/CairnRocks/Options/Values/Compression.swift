public import CairnCore

/// A compression algorithm; RocksDB's `CompressionType`. Opening throws ``RocksError/Code/invalidArgument`` if the library was built without it.
public struct Compression: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No compression.
    public static let none = Compression(rawValue: "kNoCompression")
    /// Fast, with a moderate ratio.
    public static let snappy = Compression(rawValue: "kSnappyCompression")
    /// Similar to Snappy, often faster.
    public static let lz4 = Compression(rawValue: "kLZ4Compression")
    /// LZ4's format with stronger compression; equally fast to read.
    public static let lz4hc = Compression(rawValue: "kLZ4HCCompression")
    /// A high ratio and fast decompression: for most data.
    public static let zstd = Compression(rawValue: "kZSTD")
    /// Deflate.
    public static let zlib = Compression(rawValue: "kZlibCompression")
    /// A high ratio, but slow.
    public static let bzip2 = Compression(rawValue: "kBZip2Compression")
    /// No setting of its own: ``ColumnFamilyOptions/compression`` decides. Only for ``ColumnFamilyOptions/bottommostCompression``.
    public static let inherited = Compression(rawValue: "kDisableCompressionOption")
}

/// The parameters of compression; RocksDB's `CompressionOptions`. See ``NamedOptions`` for setting an option by name.
public struct CompressionOptions: NestedOptions {
    public var settings: [String: String] = [:]
    /// Creates RocksDB's default options.
    public init() {}

    public static let defaults = parseOptionText(ColumnFamilyOptions.defaults["compression_opts"] ?? "")

    /// The compression level on the algorithm's own scale; 32,767 means its default. RocksDB's `level`. Default: 32,767.
    public var level: Int {
        get { self["level"] }
        set { self["level"] = newValue }
    }
    /// Whether these options take effect, for ``ColumnFamilyOptions/bottommostCompressionOptions``. RocksDB's `enabled`. Default: false.
    public var enabled: Bool {
        get { self["enabled"] }
        set { self["enabled"] = newValue }
    }
    /// The maximum size of a dictionary made from samples of a file; zero means none. For small blocks that resemble each other. RocksDB's
    /// `max_dict_bytes`. Default: zero.
    public var maxDictionarySize: ByteCount {
        get { self["max_dict_bytes"] }
        set { self["max_dict_bytes"] = newValue }
    }
    /// The amount of sample data that ZSTD trains a dictionary on; zero uses the samples as the dictionary. Requires ``maxDictionarySize``.
    /// RocksDB's `zstd_max_train_bytes`. Default: zero.
    public var zstdMaxTrainingSize: ByteCount {
        get { self["zstd_max_train_bytes"] }
        set { self["zstd_max_train_bytes"] = newValue }
    }
    /// How much of a file is buffered in memory to take samples; zero means the whole file. RocksDB's `max_dict_buffer_bytes`. Default:
    /// zero.
    public var maxDictionaryBufferSize: ByteCount {
        get { self["max_dict_buffer_bytes"] }
        set { self["max_dict_buffer_bytes"] = newValue }
    }
    /// Whether ZSTD's trainer makes the dictionary, rather than its faster finalizer. RocksDB's `use_zstd_dict_trainer`. Default: true.
    public var useZSTDDictionaryTrainer: Bool {
        get { self["use_zstd_dict_trainer"] }
        set { self["use_zstd_dict_trainer"] = newValue }
    }
    /// The number of threads that compress one file; files then exceed their target size. Experimental. RocksDB's `parallel_threads`.
    /// Default: 1.
    public var parallelThreads: Int {
        get { self["parallel_threads"] }
        set { self["parallel_threads"] = newValue }
    }
    /// zlib's `windowBits`. RocksDB's `window_bits`. Default: -14.
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
