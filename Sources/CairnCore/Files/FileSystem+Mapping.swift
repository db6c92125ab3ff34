extension FileSystem {
    /// Maps the first `count` bytes of a file, shared with everyone who maps or reads it. `count` may not be 0.
    ///
    /// - Returns: the mapping, valid until ``munmap(_:)``. Touching a page beyond the end of the file kills the process.
    @unsafe
    package func mmap(_ descriptor: Int32, count: Int, writable: Bool) throws(SystemCallError) -> UnsafeMutableRawBufferPointer {
        let address = try perform(SystemCall(.mmap, descriptor: descriptor, count: count)) { _ in
            Platform.map(descriptor, count, writable: writable)
        }
        return unsafe UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(bitPattern: address), count: count)
    }

    /// Ends a mapping.
    @unsafe
    package func munmap(_ bytes: UnsafeMutableRawBufferPointer) throws(SystemCallError) {
        try perform(SystemCall(.munmap, address: UInt(bitPattern: bytes.baseAddress), count: bytes.count)) { _ in
            unsafe Platform.unmap(bytes)
        }
    }

    /// Has the disk confirm the pages of a mapping. `bytes` must begin on a page's border.
    @unsafe
    package func msync(_ bytes: UnsafeMutableRawBufferPointer) throws(SystemCallError) {
        try perform(SystemCall(.msync, address: UInt(bitPattern: bytes.baseAddress), count: bytes.count)) { _ in
            unsafe Platform.synchronizeMapping(bytes)
        }
    }

    /// How a mapping is going to be used.
    package enum Advice: Sendable {
        case normal, random, sequential, willNeed
        /// All of it is going to be written: the pages are made ready at once, rather than one by one. Refused by systems that cannot.
        case willWrite
    }

    /// Tells the system how a mapping is going to be used. `bytes` must begin on a page's border.
    @unsafe
    package func madvise(_ bytes: UnsafeMutableRawBufferPointer, _ advice: Advice) throws(SystemCallError) {
        try perform(SystemCall(.madvise, address: UInt(bitPattern: bytes.baseAddress), count: bytes.count)) { _ in
            unsafe Platform.advise(bytes, advice)
        }
    }
}
