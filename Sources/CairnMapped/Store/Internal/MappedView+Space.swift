import CairnCore

extension SharedHeader.Totals {
    /// Adds to the totals a record that a key now points to.
    @inline(__always)
    mutating func add(_ record: MappedRecord) {
        guard !record.isRemoved else { return }
        count &+= 1
        liveBytes &+= record.size
        if record.expires { expiring &+= 1 }
    }

    /// Subtracts a replaced record from the totals.
    @inline(__always)
    mutating func subtract(_ record: MappedRecord) {
        guard !record.isRemoved else { return }
        count &-= 1
        liveBytes &-= record.size
        if record.expires { expiring &-= 1 }
    }
}

extension MappedView {
    /// Extends the file to at least `end`, with disk space for it. The mapping must reach that far.
    ///
    /// - Parameter touches: Whether the pages are about to be changed in the mapping.
    func reserve(_ end: Int, maximum: ByteCount?, touches: Bool = true) throws(MappedStoreError) {
        let header = unsafe header
        guard unsafe end > header.capacity else { return }
        let limit = min(length, maximum.map { Int(clamping: $0.bytes) } ?? .max)
        guard end <= limit else {
            throw MappedStoreError(
                .tooLarge,
                "\(file.path) would exceed its maximum size of \(ByteCount.bytes(Int64(limit))); remove values or compact the store"
            )
        }
        // In larger steps, so that not every change makes a system call.
        let generous = min(limit, (end + min(max(end / 4, 256 << 10), 1 << 20) + 4095) & ~4095)
        do throws(FileError) {
            try file.reserve(Int64(generous))
            // Touching a page for the first time costs as much as ten changes; many at once, a third of that each.
            if touches { try? region.advise(.willWrite, (unsafe header.capacity)..<generous) }
            unsafe header.capacity = max(end, generous - MappedLayout.spare)
        } catch {
            guard error.code == .noSpace else { throw MappedStoreError(error) }
            try MappedStoreError.translating { () throws(FileError) in try file.reserve(Int64(min(limit, end + MappedLayout.spare))) }
            unsafe header.capacity = end
        }
    }

    /// With the writers' lock: shortens the file to its last record if that frees at least `size` bytes.
    func releaseRoom(atLeast size: Int) throws(MappedStoreError) {
        let end = unsafe (header.totals.end + 4095) & ~4095
        try MappedStoreError.translating { () throws(FileError) in
            guard try file.status().size >= Int64(end + size) else { return }
            // First: no writer may count on space that the file no longer has.
            unsafe header.capacity = min(end, header.capacity)
            try file.truncate(to: Int64(end))
        }
    }

    /// The part of the records that the file lacks: from its end to where the header says that they end; `nil` if it lacks nothing. If the header is
    /// damaged, only the header itself is known to be missing.
    ///
    /// Writers extend the file before they move the end, and nobody truncates it. So a file that is shorter than its end was not left by a kill. For the
    /// same reason the end is read first: another process may extend the file at any moment.
    ///
    /// - Parameter size: the size of the file; by default, it is asked for.
    func missingRange(size: Int? = nil) throws(MappedStoreError) -> Range<Int>? {
        let header = unsafe header
        var end = unsafe header.end
        if unsafe header.pendingEnd == 0 && !header.isConsistent { end = 0 }
        end = max(end, MappedLayout.headerSize)
        var count = Int64(size ?? 0)
        if size == nil { count = try MappedStoreError.translating { () throws(FileError) in try file.status().size } }
        return count < end ? Int(count)..<end : nil
    }

    /// Zeroes what follows the last record: nothing there may be taken for a record later.
    func clear(_ range: Range<Int>) { unsafe (base + range.lowerBound).initializeMemory(as: UInt8.self, repeating: 0, count: range.count) }
}
