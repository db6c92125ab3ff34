import CCairn
import CairnCore

/// The number of lookups in progress at once: enough to keep memory busy, few enough to stay in the nearest cache.
private let groupSize = 64

/// A lookup in progress.
private struct Flight {
    var probe: CDBProbe
    /// The record to look at; 0 for none.
    var position: UInt64
}

extension CDBReader {
    /// Looks up all keys and calls `body` with the index of each one and the location of its first value.
    ///
    /// A lookup waits for memory twice: for a slot, and for a record. So several are started at once: all slots of a group are prefetched before the
    /// first is examined, then all records.
    func locateAll(_ keys: KeyList, _ base: UnsafeRawPointer, _ body: (Int, CDBLocation?) throws -> Void) throws {
        try dialect.isWide
            ? unsafe locateAll(keys, base, as: UInt64.self, body)
            : unsafe locateAll(keys, base, as: UInt32.self, body)
    }

    @inline(__always)
    private func locateAll<Word: FixedWidthInteger & UnsignedInteger>(
        _ keys: KeyList,
        _ base: UnsafeRawPointer,
        as word: Word.Type,
        _ body: (Int, CDBLocation?) throws -> Void
    ) throws {
        try unsafe keys.bytes.withUnsafeBytes { packed in
            try unsafe keys.ends.withUnsafeBufferPointer { ends in
                try unsafe withUnsafeTemporaryAllocation(of: Flight.self, capacity: groupSize) { flights in
                    var first = 0
                    while first < ends.count {
                        let count = min(groupSize, ends.count - first)
                        for index in 0..<count {
                            let key = unsafe Self.key(first + index, packed, ends)
                            let probe = try probe(hash: unsafe dialect.hash(key))
                            unsafe flights.initializeElement(at: index, to: Flight(probe: probe, position: 0))
                            let slot = probe.position &+ probe.slot &* UInt64(2 * MemoryLayout<Word>.size)
                            unsafe cairn_prefetch(base + Int(truncatingIfNeeded: slot))
                        }
                        for index in 0..<count {
                            guard let position = unsafe nextPosition(&flights[index].probe, base, as: word) else { continue }
                            unsafe flights[index].position = position
                            // Damage may lead anywhere; prefetching memory that does not exist does no harm.
                            let record = unsafe base + Int(truncatingIfNeeded: position)
                            unsafe cairn_prefetch(record)
                            unsafe cairn_prefetch(record + 64)
                        }
                        for index in 0..<count {
                            let key = unsafe Self.key(first + index, packed, ends)
                            var found: CDBRecord?
                            var position: UInt64? = unsafe flights[index].position
                            if position == 0 { position = nil }
                            while let next = position {
                                found = try unsafe match(next, key, base, as: word)
                                if found != nil { break }
                                position = unsafe nextPosition(&flights[index].probe, base, as: word)
                            }
                            try checkIsWhole()
                            try body(first + index, found.map { CDBLocation($0) })
                        }
                        first += count
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func key(_ index: Int, _ packed: UnsafeRawBufferPointer, _ ends: UnsafeBufferPointer<Int>) -> UnsafeRawBufferPointer {
        let start = unsafe index == 0 ? 0 : ends[index - 1]
        return unsafe UnsafeRawBufferPointer(rebasing: packed[start..<ends[index]])
    }
}
