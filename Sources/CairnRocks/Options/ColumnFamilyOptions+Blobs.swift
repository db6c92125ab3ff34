public import CairnCore

// Blob files: large values, stored apart from their keys.
extension ColumnFamilyOptions {
    /// Whether values of ``minBlobSize`` or more are written to separate blob files, so that compaction need not rewrite them. Useful for
    /// values of about 1 KiB or more. RocksDB's `enable_blob_files`. Default: false; changeable while open.
    public var enableBlobFiles: Bool {
        get { self["enable_blob_files"] }
        set { self["enable_blob_files"] = newValue }
    }
    /// The smallest uncompressed size at which a value goes to a blob file. RocksDB's `min_blob_size`. Default: zero, all; changeable while
    /// open.
    public var minBlobSize: ByteCount {
        get { self["min_blob_size"] }
        set { self["min_blob_size"] = newValue }
    }
    /// The size at which a blob file is finished. RocksDB's `blob_file_size`. Default: 256 MiB; changeable while open.
    public var blobFileSize: ByteCount {
        get { self["blob_file_size"] }
        set { self["blob_file_size"] = newValue }
    }
    /// How values in blob files are compressed. RocksDB's `blob_compression_type`. Default: none; changeable while open.
    public var blobCompression: Compression {
        get { self["blob_compression_type"] }
        set { self["blob_compression_type"] = newValue }
    }
    /// Whether compaction moves live values out of old blob files, so that the files can be deleted. RocksDB's
    /// `enable_blob_garbage_collection`. Default: false; changeable while open.
    public var enableBlobGarbageCollection: Bool {
        get { self["enable_blob_garbage_collection"] }
        set { self["enable_blob_garbage_collection"] = newValue }
    }
    /// The fraction of blob files, oldest first, that ``enableBlobGarbageCollection`` clears: 0 to 1. RocksDB's
    /// `blob_garbage_collection_age_cutoff`. Default: 0.25; changeable while open.
    public var blobGarbageCollectionAgeCutoff: Double {
        get { self["blob_garbage_collection_age_cutoff"] }
        set { self["blob_garbage_collection_age_cutoff"] = newValue }
    }
    /// The fraction of garbage in the oldest blob files that triggers a compaction of them, 0 to 1; 1 means never. Only for
    /// ``CompactionStyle/level``. RocksDB's `blob_garbage_collection_force_threshold`. Default: 1; changeable while open.
    public var blobGarbageCollectionForceThreshold: Double {
        get { self["blob_garbage_collection_force_threshold"] }
        set { self["blob_garbage_collection_force_threshold"] = newValue }
    }
    /// How far ahead compaction reads blob files. RocksDB's `blob_compaction_readahead_size`. Default: zero, off; changeable while open.
    public var blobCompactionReadahead: ByteCount {
        get { self["blob_compaction_readahead_size"] }
        set { self["blob_compaction_readahead_size"] = newValue }
    }
    /// The first level whose values go to blob files; flushes write level 0. Keeps short-lived values out of blob files. RocksDB's
    /// `blob_file_starting_level`. Default: 0; changeable while open.
    public var blobFileStartingLevel: Int {
        get { self["blob_file_starting_level"] }
        set { self["blob_file_starting_level"] = newValue }
    }
    /// Whether flushes add values to the blob cache. RocksDB's `prepopulate_blob_cache`. Default: ``CachePrepopulation/never``; changeable
    /// while open.
    public var prepopulateBlobCache: CachePrepopulation {
        get { self["prepopulate_blob_cache"] }
        set { self["prepopulate_blob_cache"] = newValue }
    }
}
