extension MappedRegion {
    /// Syncs the pages that hold `range`, by default all, to disk.
    ///
    /// - Throws: ``FileError``: `ioError`: the state of what was written since the last sync is unknown. `truncated` for a range out of bounds.
    package func synchronize(_ range: Range<Int>? = nil) throws(FileError) {
        unsafe try perform("could not sync a mapping of", range ?? 0..<count) { bytes throws(SystemCallError) in
            unsafe try fileSystem.msync(bytes)
        }
    }

    /// Tells the system how `range`, by default all, will be used: this only affects speed.
    package func advise(_ advice: FileSystem.Advice, _ range: Range<Int>? = nil) throws(FileError) {
        unsafe try perform("could not advise about a mapping of", range ?? 0..<count) { bytes throws(SystemCallError) in
            unsafe try fileSystem.madvise(bytes, advice)
        }
    }

    /// Runs `body` on the whole pages that hold `range`.
    private func perform(
        _ attempt: String,
        _ range: Range<Int>,
        _ body: (UnsafeMutableRawBufferPointer) throws(SystemCallError) -> Void
    ) throws(FileError) {
        guard range.lowerBound >= 0, range.upperBound <= count else {
            throw FileError(.truncated, "\(attempt) \(path): bytes \(range) are outside the \(count) mapped")
        }
        guard !range.isEmpty else { return }
        let start = range.lowerBound / Platform.pageSize * Platform.pageSize
        let pages = unsafe UnsafeMutableRawBufferPointer(start: base + start, count: range.upperBound - start)
        do throws(SystemCallError) { unsafe try body(pages) } catch { throw error.during(attempt, path) }
    }
}
