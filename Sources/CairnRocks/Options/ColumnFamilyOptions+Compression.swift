// Compression of files.
extension ColumnFamilyOptions {
    /// How blocks are compressed. RocksDB's `compression`. Default: ``Compression/snappy`` if the library has it, else none; changeable
    /// while open.
    public var compression: Compression {
        get { self["compression"] }
        set { self["compression"] = newValue }
    }
    /// How blocks of the last level, which holds most of the data, are compressed; ``Compression/inherited`` means as ``compression``.
    /// RocksDB's `bottommost_compression`. Default: inherited; changeable while open.
    public var bottommostCompression: Compression {
        get { self["bottommost_compression"] }
        set { self["bottommost_compression"] = newValue }
    }
    /// The compression level and the use of dictionaries. Changeable while open. RocksDB's `compression_opts`.
    public var compressionOptions: CompressionOptions {
        get { self["compression_opts"] }
        set { self["compression_opts"] = newValue }
    }
    /// The ``compressionOptions`` for ``bottommostCompression``; they take effect only with ``CompressionOptions/enabled``. Changeable
    /// while open. RocksDB's `bottommost_compression_opts`.
    public var bottommostCompressionOptions: CompressionOptions {
        get { self["bottommost_compression_opts"] }
        set { self["bottommost_compression_opts"] = newValue }
    }
    /// How blocks of each level, starting at 0, are compressed; the last value also applies to all levels below. Overrides ``compression``. If empty,
    /// all levels are compressed in the same way. RocksDB's `compression_per_level`. Default: empty; changeable while open.
    public var compressionPerLevel: [Compression] {
        get { self["compression_per_level"] }
        set { self["compression_per_level"] = newValue }
    }
    /// The sampling interval for compression statistics: one in this many blocks is compressed with LZ4 and ZSTD to report the ratios; zero
    /// means none. RocksDB's `sample_for_compression`. Default: 0; changeable while open.
    public var sampleForCompression: Int {
        get { self["sample_for_compression"] }
        set { self["sample_for_compression"] = newValue }
    }
}
