extension AtomicFileWriter {
    /// Appends `bytes`.
    ///
    /// - Throws: ``FileError``: `noSpace`, `ioError`..., `closed` after an earlier error. The writer is then cancelled.
    package func write(_ bytes: some ByteSource & ~Escapable) throws(FileError) {
        let file = try openFile()
        try bytes.withBytes { span throws(FileError) in
            if buffer.count + span.byteCount > bufferSize { try flush(to: file) }
            if span.byteCount >= bufferSize {
                try cancellingOnFailure { () throws(FileError) in try file.write(span, at: flushedCount) }
                flushedCount += Int64(span.byteCount)
            } else {
                unsafe span.withUnsafeBytes { unsafe buffer.append(contentsOf: $0) }
            }
        }
    }

    /// Overwrites bytes that were written before, such as a header whose contents are known only at the end.
    ///
    /// - Throws: ``FileError``: `truncated` if `offset` and the bytes are not within the first ``count`` bytes; the writer then remains usable.
    ///   Otherwise as ``write(_:)``.
    package func write(_ bytes: some ByteSource & ~Escapable, at offset: Int64) throws(FileError) {
        let file = try openFile()
        try bytes.withBytes { span throws(FileError) in
            guard offset >= 0, offset <= count, Int64(span.byteCount) <= count - offset else {
                throw FileError(
                    .truncated,
                    "could not overwrite \(span.byteCount) bytes at \(offset) of \(path): only \(count) bytes have been written"
                )
            }
            try flush(to: file)
            try cancellingOnFailure { () throws(FileError) in try file.write(span, at: offset) }
        }
    }

    /// Truncates what was written to its first `count` bytes; the next write continues from there.
    ///
    /// - Throws: ``FileError``: `truncated` if fewer bytes were written; the writer then remains usable. Otherwise as ``write(_:)``.
    package func truncate(to count: Int64) throws(FileError) {
        let file = try openFile()
        guard count >= 0, count <= self.count else {
            throw FileError(.truncated, "could not truncate \(path) to \(count) bytes: only \(self.count) have been written")
        }
        try flush(to: file)
        try cancellingOnFailure { () throws(FileError) in try file.truncate(to: count) }
        flushedCount = count
    }

    /// Returns the `count` bytes at `offset`, among those written so far.
    ///
    /// - Throws: ``FileError``: `truncated` if not all of them were written; the writer then remains usable.
    package func read(_ count: Int, at offset: Int64) throws(FileError) -> [UInt8] {
        let file = try openFile()
        try flush(to: file)
        return try file.read(count, at: offset)
    }

    /// Writes the buffer to the file.
    func flush(to file: File) throws(FileError) {
        guard !buffer.isEmpty else { return }
        try cancellingOnFailure { () throws(FileError) in try file.write(buffer, at: flushedCount) }
        flushedCount += Int64(buffer.count)
        buffer.removeAll(keepingCapacity: true)
    }
}
