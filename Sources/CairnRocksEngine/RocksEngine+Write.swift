import CairnCore
import CairnRocks

extension RocksEngine {
    /// Writes atomically, as a batch or a file depending on the size. Returns whether this and all earlier commits are on disk.
    func write(
        _ writes: EngineWrites,
        to db: RocksDB,
        beside now: RocksView,
        _ commits: inout Commits
    ) throws(RocksError) -> Bool {
        let ranges = try ranges(of: writes, now)
        guard writes.count > 0 || !ranges.isEmpty else { return false }
        guard writes.byteCount >= largeCommitSize || writes.count >= largeCommitCount else {
            try writeBatch(ranges, writes, to: db)
            commits.unflushed.add(entries: writes.count + ranges.count, bytes: writes.byteCount)
            if commits.unflushed.areMany {
                commits.unflushed.reset()
                // The commit succeeded, whether or not the flush does. If it fails, RocksDB reports that to the next commit.
                try? db.flush(nil, waits: false, allowsWriteStall: true)
            }
            return false
        }
        commits.fileNumber += 1
        try ingest(ranges, writes, into: db, beside: now, fileName: "\(commits.fileNumber).sst")
        return true
    }

    /// Writes a batch through the log.
    private func writeBatch(_ ranges: [Deletion], _ writes: EngineWrites, to db: RocksDB) throws(RocksError) {
        let batch = WriteBatch(reserved: ByteCount(bytes: Int64(writes.byteCount + writes.count * 8)))
        for range in ranges { batch.deleteRange(from: range.start, to: range.end) }
        for index in 0..<writes.count {
            if let value = writes.value(at: index) {
                batch.write(.put, key: writes.key(at: index), value: value)
            } else {
                batch.write(.delete, key: writes.key(at: index), value: RawSpan())
            }
        }
        try db.write(batch, options: WriteOptions(durability: .buffered))
    }

    /// Writes a sorted file. Because of the view, RocksDB counts the file as a separate write, and so gives it a version.
    private func ingest(
        _ ranges: [Deletion],
        _ writes: EngineWrites,
        into db: RocksDB,
        beside now: RocksView,
        fileName: String
    ) throws(RocksError) {
        let files = FileSystem.system
        // Fails if it exists; other errors appear when the file is created.
        try? files.mkdir(sortedFilesPath)
        let file = sortedFilesPath + "/" + fileName
        defer {
            withExtendedLifetime(now) {}
            try? files.unlink(file)
        }
        let writer = try SSTFileWriter(path: file, options: familyOptions)
        for range in ranges { try writer.deleteRange(from: range.start, to: range.end) }
        for index in 0..<writes.count {
            if let value = writes.value(at: index) {
                try writer.write(.put, key: writes.key(at: index), value: value)
            } else {
                try writer.write(.delete, key: writes.key(at: index), value: RawSpan())
            }
        }
        try writer.finish()
        // The file will survive power loss, so earlier commits must too.
        try db.flushLog(syncs: true)
        try db.ingest([file], options: IngestOptions(movesFiles: true))
    }

    private typealias Deletion = (start: [UInt8], end: [UInt8])

    /// The ranges to delete. RocksDB needs an end key; for an unbounded range, this is the key after the last existing one, if any.
    private func ranges(of writes: EngineWrites, _ now: RocksView) throws(RocksError) -> [Deletion] {
        var ranges: [Deletion] = []
        for range in writes.deletedRanges {
            if let end = range.upperBound {
                ranges.append((range.lowerBound, end))
            } else if let last = try now.snapshot.keys(ScanRange.keys(range).reversed, limit: 1).first {
                ranges.append((range.lowerBound, last + [0]))
            }
        }
        return ranges
    }

    /// Where sorted files are written before the database ingests them.
    private var sortedFilesPath: String { place + "/incoming" }

    /// Removes the directory, and files of a process that died before its commit. No commit may be in progress.
    func removeSortedFiles() {
        let files = FileSystem.system
        for name in (try? files.list(sortedFilesPath)) ?? [] { try? files.unlink(sortedFilesPath + "/" + name) }
        try? files.rmdir(sortedFilesPath)
    }
}
