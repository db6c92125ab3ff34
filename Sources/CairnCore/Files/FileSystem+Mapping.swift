extension FileSystem {
    /// Maps the first `count` bytes of a file, shared with everyone who maps or reads it. `count` must not be 0.
    ///
    /// - Returns: The mapping, valid until ``munmap(_:)``. Touching a page beyond the end of the file kills the process.
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

    /// Syncs the pages of a mapping to disk. `bytes` must begin at a page boundary.
    @unsafe
    package func msync(_ bytes: UnsafeMutableRawBufferPointer) throws(SystemCallError) {
        try perform(SystemCall(.msync, address: UInt(bitPattern: bytes.baseAddress), count: bytes.count)) { _ in
            unsafe Platform.synchronizeMapping(bytes)
        }
    }

    /// The expected use of a mapping.
    package enum Advice: Sendable {
        case normal, random, sequential, willNeed
        /// All of it will be written: the pages are prepared at once, rather than one by one. Systems that cannot do that refuse it.
        case willWrite
    }

    /// Tells the system the expected use of a mapping. `bytes` must begin at a page boundary.
    @unsafe
    package func madvise(_ bytes: UnsafeMutableRawBufferPointer, _ advice: Advice) throws(SystemCallError) {
        try perform(SystemCall(.madvise, address: UInt(bitPattern: bytes.baseAddress), count: bytes.count)) { _ in
            unsafe Platform.advise(bytes, advice)
        }
    }
}
