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

    /// Returns the `count` bytes at `offset`.
    ///
    /// - Throws: ``FileError``: `truncated` if the file ends before. A `count` beyond the end of the file allocates nothing.
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
    /// - Throws: ``FileError``: `noSpace`, `ioError`... Some of the bytes may have been written.
    package func write(_ bytes: some ByteSource & ~Escapable, at offset: Int64) throws(FileError) {
        try bytes.withBytes { span throws(FileError) in
            var done = 0
            while done < span.byteCount {
                let rest = span.extracting(droppingFirst: done)
                done += try perform("could not write \(span.byteCount) bytes at \(offset) of") { descriptor throws(SystemCallError) in
                    try progress("pwrite", fileSystem.pwrite(descriptor, rest, at: offset + Int64(done)))
                }
            }
        }
    }

    /// Writes all of `bytes` at the end of a file opened with `append`; throws as ``write(_:at:)`` does.
    package func append(_ bytes: some ByteSource & ~Escapable) throws(FileError) {
        try bytes.withBytes { span throws(FileError) in
            var done = 0
            while done < span.byteCount {
                let rest = span.extracting(droppingFirst: done)
                done += try perform("could not append \(span.byteCount) bytes to") { descriptor throws(SystemCallError) in
                    try progress("write", fileSystem.write(descriptor, rest))
                }
            }
        }
    }

    /// Without this check, a system that writes nothing and gives no reason would make us retry forever.
    private func progress(_ call: String, _ written: Int) throws(SystemCallError) -> Int {
        guard written > 0 else { throw SystemCallError(call: call, errno: Platform.inputOutputError) }
        return written
    }

    private func ends(before count: Int, at offset: Int64) -> FileError {
        FileError(.truncated, "could not read \(count) bytes at \(offset) of \(path): the file ends too early; it was truncated")
    }
}
