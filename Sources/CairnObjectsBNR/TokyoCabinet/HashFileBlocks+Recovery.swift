extension HashFileBlocks {
    /// The positions of records outside of damaged areas, and the damage.
    ///
    /// There are two sources for the position of a record: the end of the previous block, and the tree of its bucket. If the first fails, or a tree has
    /// a record within a block, the walk continues at the next position in a tree, or at the next from which blocks lead to such a position or to the end.
    func recover() -> (offsets: [Int], damage: [TokyoCabinetHashFile.Damage]) {
        let known = reachableRecords()
        let end = end(known)
        let start = min(header.firstRecord <= UInt64(end) ? Int(header.firstRecord) : end, computedFirstRecord, end)
        let places = landingPlaces(start..<end, known)
        var offsets: [Int] = []
        var damage: [TokyoCabinetHashFile.Damage] = []
        var position = start
        while position < end {
            if let block = block(at: position), block.end <= end, known.first(after: position).map({ $0 >= block.end }) ?? true {
                if block.isRecord { offsets.append(position) }
                position = block.end
                continue
            }
            let next = places.first(after: position) ?? end
            // A record with wrong padding is still complete.
            if let block = block(at: position), block.isRecord, block.value.upperBound <= next { offsets.append(position) }
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
    private func reachableRecords() -> SortedPlaces {
        var found: Set<Int> = []
        var waiting: [Int] = []
        for bucket in 0..<bucketCount {
            waiting.append(root(ofBucket: bucket))
            while let place = waiting.popLast() {
                guard place > 0, !found.contains(place), let block = block(at: place), block.isRecord,
                    HashFileHash(bytes[block.key]).first % header.bucketCount == UInt64(bucket)
                else { continue }
                found.insert(place)
                waiting += [block.left, block.right]
            }
        }
        return SortedPlaces(found)
    }

    /// `known`, and the positions from which blocks lead to one of them or to the end.
    private func landingPlaces(_ range: Range<Int>, _ known: SortedPlaces) -> SortedPlaces {
        var places = Set(known.all)
        places.insert(range.upperBound)
        for offset in range.reversed() where bytes[offset] == 0xC8 || bytes[offset] == 0xB0 {
            guard let shape = shape(at: offset), places.contains(shape.end), block(at: offset) != nil else { continue }
            places.insert(offset)
        }
        places.remove(range.upperBound)
        return SortedPlaces(places)
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
