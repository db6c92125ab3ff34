extension HashFileBlocks {
    /// The positions of records outside of damaged areas, and the damage.
    ///
    /// There are two sources for the position of a record: the end of the previous block, and the tree of its bucket. If the first fails, or a tree has
    /// a record within a block, the walk continues at the next position in a tree, or at the next from which blocks lead to such a position or to the end.
    func recover() -> (offsets: [Int], damage: [TokyoCabinetHashFile.Damage]) {
        var keys = HashedKeys(self)
        let known = reachableRecords(&keys)
        let end = end(known)
        let start = min(header.firstRecord <= UInt64(end) ? Int(header.firstRecord) : end, computedFirstRecord, end)
        let places = landingPlaces(start..<end, known, &keys)
        var offsets: [Int] = []
        var damage: [TokyoCabinetHashFile.Damage] = []
        var position = start
        while position < end {
            if let block = keys.block(at: position), block.end <= end, known.first(after: position).map({ $0 >= block.end }) ?? true {
                if block.isRecord { offsets.append(position) }
                position = block.end
                continue
            }
            let next = places.first(after: position) ?? end
            // A record with wrong padding is still complete.
            if let block = keys.block(at: position), block.isRecord, block.value.upperBound <= next { offsets.append(position) }
            damage.append(.init(bytes: position..<next, message: "there is no complete record"))
            position = next
        }
        if header.fileSize > UInt64(bytes.count) {
            damage.append(.init(bytes: 0..<0, message: "the file has \(bytes.count) bytes, but should have \(header.fileSize)"))
        }
        if header.hasFailed { damage.append(.init(bytes: 0..<0, message: "the program that wrote the file marked it as broken")) }
        if UInt64(offsets.count) != header.recordCount || damage.isEmpty {
            let message = "\(offsets.count) records can be read, but the header says \(header.recordCount)"
            damage.append(.init(bytes: 0..<0, message: message))
        }
        return (offsets, damage)
    }

    /// The end of the blocks according to the header, or the end of the file if that is smaller or there are records after it.
    private func end(_ known: SortedPlaces) -> Int {
        let isBelieved = header.fileSize <= UInt64(bytes.count) && known.first(after: Int(header.fileSize) - 1) == nil
        return isBelieved ? Int(header.fileSize) : bytes.count
    }

    /// The offset of the first record, computed from the other numbers in the header.
    private var computedFirstRecord: Int {
        let pool = 64 + HashFileHeader.bucketSize << Int(min(bytes[35], 20))
        let alignment = 1 << min(header.alignmentPower, 20)
        let end = HashFileHeader.byteCount + bucketCount * HashFileHeader.bucketSize + pool
        return min((end + alignment - 1) / alignment * alignment, bytes.count)
    }

    /// The records that can be reached from the buckets.
    private func reachableRecords(_ keys: inout HashedKeys) -> SortedPlaces {
        var found: Set<Int> = []
        var waiting: [Int] = []
        for bucket in 0..<bucketCount {
            waiting.append(root(ofBucket: bucket))
            while let place = waiting.popLast() {
                guard place > 0, !found.contains(place), let block = shape(at: place), block.isRecord,
                    let hash = keys.hash(of: block, at: place), hash % header.bucketCount == UInt64(bucket)
                else { continue }
                found.insert(place)
                waiting += [block.left, block.right]
            }
        }
        return SortedPlaces(found)
    }

    /// `known`, and the positions from which blocks lead to one of them or to the end.
    private func landingPlaces(_ range: Range<Int>, _ known: SortedPlaces, _ keys: inout HashedKeys) -> SortedPlaces {
        var places = Set(known.all)
        places.insert(range.upperBound)
        for offset in range.reversed() where bytes[offset] == 0xC8 || bytes[offset] == 0xB0 {
            guard let shape = shape(at: offset), places.contains(shape.end), keys.block(at: offset) != nil else { continue }
            places.insert(offset)
        }
        places.remove(range.upperBound)
        return SortedPlaces(places)
    }
}

/// The hashes of keys, so that none is computed twice during a recovery. Where damaged records overlap, many of them can have long keys: once the hashed
/// bytes are many times those of the file, places that were not seen before count as damaged.
private struct HashedKeys {
    private let blocks: HashFileBlocks
    /// The first hash of each key, by the place of its record; `nil` if the key does not match the hash in the record.
    private var hashes: [Int: UInt64?] = [:]
    /// How many bytes may still be hashed.
    private var budget: Int

    init(_ blocks: HashFileBlocks) {
        self.blocks = blocks
        budget = 16 * blocks.bytes.count
    }

    /// Same as ``HashFileBlocks/block(at:)``.
    mutating func block(at offset: Int) -> HashFileBlocks.Block? {
        guard let block = blocks.shape(at: offset), !block.isRecord || hash(of: block, at: offset) != nil else { return nil }
        return block
    }

    /// The first hash of a record's key; `nil` if the key does not match the hash in the record.
    mutating func hash(of record: HashFileBlocks.Block, at offset: Int) -> UInt64? {
        if let known = hashes[offset] { return known }
        guard record.key.count <= budget else { return nil }
        budget -= record.key.count
        let hash = HashFileHash(blocks.bytes[record.key])
        let first = hash.second == record.hash ? hash.first : nil
        hashes.updateValue(first, forKey: offset)
        return first
    }
}

/// Sorted offsets.
struct SortedPlaces {
    let all: [Int]

    init(_ places: Set<Int>) { all = places.sorted() }

    /// The first offset after `offset`.
    func first(after offset: Int) -> Int? {
        var range = 0..<all.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range = all[middle] > offset ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound < all.count ? all[range.lowerBound] : nil
    }
}
