// Compression of files.
extension ColumnFamilyOptions {
    /// How blocks are compressed. Default: ``Compression/snappy`` if the library has it, else none; changeable while open.
    public var compression: Compression {
        get { self["compression"] }
        set { self["compression"] = newValue }
    }
    /// How blocks of the last level are compressed, which hold most of the data; ``Compression/inherited``: as ``compression`` says.
    /// Default: inherited; changeable while open.
    public var bottommostCompression: Compression {
        get { self["bottommost_compression"] }
        set { self["bottommost_compression"] = newValue }
    }
    /// How hard compression works, and dictionaries. Changeable while open.
    public var compressionOptions: CompressionOptions {
        get { self["compression_opts"] }
        set { self["compression_opts"] = newValue }
    }
    /// The same for ``bottommostCompression``; counts only with ``CompressionOptions/enabled``. Changeable while open.
    public var bottommostCompressionOptions: CompressionOptions {
        get { self["bottommost_compression_opts"] }
        set { self["bottommost_compression_opts"] = newValue }
    }
    /// How blocks are compressed in each level from 0 on, the last one given for all below; overrides ``compression``. Empty: the same
    /// everywhere. Default: empty; changeable while open.
    public var compressionPerLevel: [Compression] {
        get { self["compression_per_level"] }
        set { self["compression_per_level"] = newValue }
    }
    /// Of how many blocks one is compressed for trial with LZ4 and ZSTD, to report the ratios in statistics; zero: none. Default: 0;
    /// changeable while open.
    public var sampleForCompression: Int {
        get { self["sample_for_compression"] }
        set { self["sample_for_compression"] = newValue }
    }
}
