import CRocks
public import CairnCore

/// How a database ingests sorted files; RocksDB's `IngestExternalFileOptions`.
public struct IngestOptions: Sendable, Hashable {
    /// Whether files are moved into the database (linked, then unlinked) instead of copied. Default: false.
    public var movesFiles = false
    /// Whether a file that cannot be moved, for example between file systems, is copied. Default: true.
    public var copiesIfMoveFails = true
    /// Whether the files' keys are hidden from existing snapshots. Default: true.
    public var keepsSnapshotsConsistent = true
    /// Whether the files' keys may overlay existing keys; otherwise a file whose range overlaps any existing keys is refused. Default: true.
    public var allowsOverlap = true
    /// Whether an overlapping memtable may be flushed, which blocks writers; otherwise such a file is refused. Default: true.
    public var allowsFlush = true
    /// Whether the files' keys go beneath all existing ones, so that they only fill in missing keys. Needs a database that was created and always
    /// opened with the option `allow_ingest_behind`. Default: false.
    public var ingestsBehind = false
    /// Whether the files' global sequence number is written into them, for RocksDB before 5.16; this changes moved files. Default: false, unlike
    /// RocksDB 7.
    public var writesSequenceNumber = false
    /// Whether the checksum of each block is verified first. Default: false.
    public var verifiesChecksums = false
    /// How far ahead the verification reads; zero: RocksDB's default. Default: zero.
    public var verificationReadahead = ByteCount.zero
    /// Whether checksums of whole files are verified, if the database keeps them (`file_checksum_gen_factory`). Default: true.
    public var verifiesFileChecksums = true
    /// Whether a file that does not fit in the lowest level is refused with ``RocksError/Code/tryAgain``. Default: false.
    public var failsIfNotBottommost = false

    /// RocksDB's defaults, except for ``writesSequenceNumber``.
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
