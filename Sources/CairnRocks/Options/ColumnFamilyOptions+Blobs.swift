public import CairnCore

// Blob files: large values apart from the keys.
extension ColumnFamilyOptions {
    /// Whether values of ``minBlobSize`` or more are written to files of their own, so that compaction need not rewrite them. For values
    /// from about 1 KiB on. Default: false; changeable while open.
    public var enableBlobFiles: Bool {
        get { self["enable_blob_files"] }
        set { self["enable_blob_files"] = newValue }
    }
    /// From which size on a value goes to a blob file, before compression. Default: zero, all; changeable while open.
    public var minBlobSize: ByteCount {
        get { self["min_blob_size"] }
        set { self["min_blob_size"] = newValue }
    }
    /// At which size a blob file is ended. Default: 256 MiB; changeable while open.
    public var blobFileSize: ByteCount {
        get { self["blob_file_size"] }
        set { self["blob_file_size"] = newValue }
    }
    /// How values in blob files are compressed. Default: none; changeable while open.
    public var blobCompression: Compression {
        get { self["blob_compression_type"] }
        set { self["blob_compression_type"] = newValue }
    }
    /// Whether compaction moves live values out of old blob files, so that these can be deleted. Default: false; changeable while open.
    public var enableBlobGarbageCollection: Bool {
        get { self["enable_blob_garbage_collection"] }
        set { self["enable_blob_garbage_collection"] = newValue }
    }
    /// Which share of the blob files, from the oldest on, is cleared so: 0 to 1. Default: 0.25; changeable while open.
    public var blobGarbageCollectionAgeCutoff: Double {
        get { self["blob_garbage_collection_age_cutoff"] }
        set { self["blob_garbage_collection_age_cutoff"] = newValue }
    }
    /// The share of garbage in the oldest blob files at which a compaction is started for them, 0 to 1; 1: never. With
    /// ``CompactionStyle/level`` only. Default: 1; changeable while open.
    public var blobGarbageCollectionForceThreshold: Double {
        get { self["blob_garbage_collection_force_threshold"] }
        set { self["blob_garbage_collection_force_threshold"] = newValue }
    }
    /// How far ahead compaction reads blob files. Default: zero, off; changeable while open.
    public var blobCompactionReadahead: ByteCount {
        get { self["blob_compaction_readahead_size"] }
        set { self["blob_compaction_readahead_size"] = newValue }
    }
    /// From which level on values go to blob files; flushes are level 0. Spares values that soon die. Default: 0; changeable while open.
    public var blobFileStartingLevel: Int {
        get { self["blob_file_starting_level"] }
        set { self["blob_file_starting_level"] = newValue }
    }
    /// Whether values enter the blob cache when they are flushed. Default: ``CachePrepopulation/never``; changeable while open.
    public var prepopulateBlobCache: CachePrepopulation {
        get { self["prepopulate_blob_cache"] }
        set { self["prepopulate_blob_cache"] = newValue }
    }
}
