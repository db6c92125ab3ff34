import CairnCore
import CairnRocks

extension RocksEngine {
    /// All or nothing, in the way that suits the size.
    func write(_ writes: EngineWrites, beside now: RocksView, _ durability: Durability, _ fileNumber: inout Int) throws(RocksError) {
        guard writes.byteCount >= largeCommitSize || writes.count >= largeCommitCount else {
            return try writeBatch(writes, beside: now, durability)
        }
        fileNumber += 1
        try ingest(writes, beside: now, fileName: "\(fileNumber).sst")
    }

    /// Through the log, as one batch.
    private func writeBatch(_ writes: EngineWrites, beside now: RocksView, _ durability: Durability) throws(RocksError) {
        let batch = WriteBatch(reserved: ByteCount(bytes: Int64(writes.byteCount + writes.count * 8)))
        for range in writes.deletedRanges { if let end = try end(of: range, now) { batch.deleteRange(from: range.lowerBound, to: end) } }
        for index in 0..<writes.count {
            if let value = writes.value(at: index) {
                batch.write(.put, key: writes.key(at: index), value: value)
            } else {
                batch.write(.delete, key: writes.key(at: index), value: RawSpan())
            }
        }
        try db.write(batch, options: WriteOptions(durability: durability == .synced ? .synced : .buffered))
    }

    /// As a sorted file. The view makes RocksDB count the file as a write of its own, and so gives it a version.
    private func ingest(_ writes: EngineWrites, beside now: RocksView, fileName: String) throws(RocksError) {
        let files = FileSystem.system
        // Fails where it is there; anything else shows when the file is made.
        try? files.mkdir(sortedFilesPath)
        let file = sortedFilesPath + "/" + fileName
        defer {
            withExtendedLifetime(now) {}
            try? files.unlink(file)
        }
        let writer = try SSTFileWriter(path: file, options: familyOptions)
        for range in writes.deletedRanges {
            if let end = try end(of: range, now) { try writer.deleteRange(from: range.lowerBound, to: end) }
        }
        for index in 0..<writes.count {
            if let value = writes.value(at: index) {
                try writer.write(.put, key: writes.key(at: index), value: value)
            } else {
                try writer.write(.delete, key: writes.key(at: index), value: RawSpan())
            }
        }
        try writer.finish()
        // The file will survive a power cut, and so must the commits before.
        try db.flushLog(syncs: true)
        try db.ingest([file], options: IngestOptions(movesFiles: true))
    }

    /// The end of a range to delete, for which RocksDB wants a key: behind the last that there is. `nil` if there is none in the range.
    private func end(of range: KeyRange, _ now: RocksView) throws(RocksError) -> [UInt8]? {
        if let end = range.upperBound { return end }
        return try now.snapshot.keys(ScanRange.keys(range).reversed, limit: 1).first.map { $0 + [0] }
    }

    /// Where sorted files are before the database takes them over.
    private var sortedFilesPath: String { path + "/incoming" }

    /// Removes what a process left that died before its commit took place, and the directory. No commit may be under way.
    func removeSortedFiles() {
        let files = FileSystem.system
        for name in (try? files.list(sortedFilesPath)) ?? [] { try? files.unlink(sortedFilesPath + "/" + name) }
        try? files.rmdir(sortedFilesPath)
    }
}
