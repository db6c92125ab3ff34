extension File {
    /// Reads from `offset` until `bytes` is full or the file ends; returns the number of bytes read.
    package func read(into bytes: inout MutableRawSpan, at offset: Int64) throws(FileError) -> Int {
        let count = bytes.byteCount
        var done = 0
        while done < count {
            var rest = bytes._mutatingExtracting(done..<count)
            let read = try perform("could not read \(count) bytes at \(offset) of") { descriptor throws(SystemCallError) in
                try fileSystem.pread(descriptor, into: &rest, at: offset + Int64(done))
            }
            if read == 0 { break }
            done += read
        }
        return done
    }

    /// The `count` bytes at `offset`.
    ///
    /// - Throws: ``FileError``: `truncated` where the file ends before. A `count` beyond the file's end allocates nothing.
    package func read(_ count: Int, at offset: Int64) throws(FileError) -> [UInt8] {
        let size = try status().size
        guard count >= 0, offset >= 0, offset <= size, Int64(count) <= size - offset else { throw ends(before: count, at: offset) }
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        var raw = unsafe span.mutableBytes
        guard try read(into: &raw, at: offset) == count else { throw ends(before: count, at: offset) }
        return bytes
    }

    /// Writes all of `bytes` at `offset`, extending the file as needed.
    ///
    /// - Throws: ``FileError``: `noSpace`, `ioError`... A part of the bytes may have been written.
    package func write(_ bytes: some ByteSource & ~Escapable, at offset: Int64) throws(FileError) {
        try bytes.withBytes { span throws(FileError) in
            try writeAll(span, "could not write \(span.byteCount) bytes at \(offset) of") { descriptor, rest, done throws(SystemCallError) in
                try fileSystem.pwrite(descriptor, rest, at: offset + Int64(done))
            }
        }
    }

    /// Writes all of `bytes` at the end of a file opened with `append`, and fails as ``write(_:at:)`` does.
    package func append(_ bytes: some ByteSource & ~Escapable) throws(FileError) {
        try bytes.withBytes { span throws(FileError) in
            try writeAll(span, "could not append \(span.byteCount) bytes to") { descriptor, rest, _ throws(SystemCallError) in
                try fileSystem.write(descriptor, rest)
            }
        }
    }

    private func writeAll(
        _ bytes: RawSpan, _ attempt: @autoclosure () -> String, _ write: (Int32, RawSpan, Int) throws(SystemCallError) -> Int
    ) throws(FileError) {
        var done = 0
        while done < bytes.byteCount {
            let rest = bytes.extracting(droppingFirst: done)
            let written = try perform(attempt()) { descriptor throws(SystemCallError) in try write(descriptor, rest, done) }
            guard written > 0 else { throw FileError(.ioError, "\(attempt()) \(path): the system wrote nothing and gave no reason") }
            done += written
        }
    }

    private func ends(before count: Int, at offset: Int64) -> FileError {
        FileError(.truncated, "could not read \(count) bytes at \(offset) of \(path): the file ends before; it was cut short")
    }
}
