extension FileSystem {
    /// Reads at `offset` and returns the number of bytes read, which may be fewer than requested, at the end of the file or elsewhere.
    package func pread(_ descriptor: Int32, into bytes: inout MutableRawSpan, at offset: Int64) throws(SystemCallError) -> Int {
        let count = bytes.byteCount
        return try unsafe bytes.withUnsafeMutableBytes { buffer throws(SystemCallError) in
            try perform(SystemCall(.pread, descriptor: descriptor, offset: offset, count: count), count: count) { limit in
                unsafe Platform.read(descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[..<limit]), offset)
            }
        }
    }

    /// Writes at `offset` and returns the number of bytes written, which may be fewer than given.
    package func pwrite(_ descriptor: Int32, _ bytes: RawSpan, at offset: Int64) throws(SystemCallError) -> Int {
        let count = bytes.byteCount
        return try unsafe bytes.withUnsafeBytes { buffer throws(SystemCallError) in
            try perform(SystemCall(.pwrite, descriptor: descriptor, offset: offset, count: count), count: count) { limit in
                unsafe Platform.write(descriptor, UnsafeRawBufferPointer(rebasing: buffer[..<limit]), offset)
            }
        }
    }

    /// Writes at the descriptor's position, or at the end with ``OpenOptions/append``, and returns the number of bytes written.
    package func write(_ descriptor: Int32, _ bytes: RawSpan) throws(SystemCallError) -> Int {
        let count = bytes.byteCount
        return try unsafe bytes.withUnsafeBytes { buffer throws(SystemCallError) in
            try perform(SystemCall(.write, descriptor: descriptor, count: count), count: count) { limit in
                unsafe Platform.write(descriptor, UnsafeRawBufferPointer(rebasing: buffer[..<limit]))
            }
        }
    }
}
