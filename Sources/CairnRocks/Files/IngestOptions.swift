import CRocks
public import CairnCore

/// How a database takes in sorted files; RocksDB's `IngestExternalFileOptions`.
public struct IngestOptions: Sendable, Hashable {
    /// Whether files are moved into the database (linked, then unlinked) instead of copied. Default: false.
    public var movesFiles = false
    /// Whether a file that cannot be moved, as between file systems, is copied. Default: true.
    public var copiesIfMoveFails = true
    /// Whether snapshots that exist do not see the files' keys. Default: true.
    public var keepsSnapshotsConsistent = true
    /// Whether the files' keys may come on top of keys that exist; otherwise a file whose range overlaps with any is refused. Default: true.
    public var allowsOverlap = true
    /// Whether a memtable that overlaps may be flushed, which holds up writers; otherwise such a file is refused. Default: true.
    public var allowsFlush = true
    /// Whether the files' keys come below all that exist, so that they only fill in what is missing. Needs a database that was made and always
    /// opened with the option `allow_ingest_behind`. Default: false.
    public var ingestsBehind = false
    /// Whether the files' own sequence number is written into them, for RocksDB before 5.16; changes moved files. Default: false, unlike
    /// RocksDB 7.
    public var writesSequenceNumber = false
    /// Whether the checksum of each block is verified before. Default: false.
    public var verifiesChecksums = false
    /// How far ahead that verification reads; zero: RocksDB's default. Default: zero.
    public var verificationReadahead = ByteCount.zero
    /// Whether checksums of whole files are verified, where the database keeps them (`file_checksum_gen_factory`). Default: true.
    public var verifiesFileChecksums = true
    /// Whether a file that does not fit in the lowest level is refused with ``RocksError/Code/tryAgain``. Default: false.
    public var failsIfNotBottommost = false

    /// RocksDB's defaults, but for ``writesSequenceNumber``.
    public init(movesFiles: Bool = false) { self.movesFiles = movesFiles }

    var shimOptions: crk_ingest_options {
        crk_ingest_options(
            move_files: movesFiles,
            copy_if_move_fails: copiesIfMoveFails,
            snapshot_consistency: keepsSnapshotsConsistent,
            allow_global_sequence_number: allowsOverlap,
            allow_blocking_flush: allowsFlush,
            ingest_behind: ingestsBehind,
            write_global_sequence_number: writesSequenceNumber,
            verify_checksums: verifiesChecksums,
            verify_file_checksum: verifiesFileChecksums,
            fail_if_not_bottommost: failsIfNotBottommost,
            verify_readahead: Int(clamping: max(0, verificationReadahead.bytes))
        )
    }
}
