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
    func reserve(_ end: Int, maximum: ByteCount?) throws(MappedStoreError) {
        let header = unsafe header
        guard unsafe end > header.capacity else { return }
        let limit = min(length, maximum.map { Int(clamping: $0.bytes) } ?? .max)
        guard end <= limit else {
            throw MappedStoreError(
                .tooLarge,
                "\(file.path) would exceed its maximum size of \(limit) bytes; remove values, or compact it"
            )
        }
        // In larger steps, so that not every change makes a system call.
        let generous = min(limit, (end + min(max(end / 4, 256 << 10), 1 << 20) + 4095) & ~4095)
        do throws(FileError) {
            try file.reserve(Int64(generous))
            // Touching a page for the first time costs as much as ten changes; many at once, a third of that each.
            try? region.advise(.willWrite, (unsafe header.capacity)..<generous)
            unsafe header.capacity = generous
        } catch {
            guard error.code == .noSpace else { throw MappedStoreError(error) }
            try MappedStoreError.translating { () throws(FileError) in try file.reserve(Int64(end)) }
            unsafe header.capacity = end
        }
    }

    /// Zeroes what follows the last record: no record may be found there later that is not one now.
    func clear(_ range: Range<Int>) { unsafe (base + range.lowerBound).initializeMemory(as: UInt8.self, repeating: 0, count: range.count) }
}
