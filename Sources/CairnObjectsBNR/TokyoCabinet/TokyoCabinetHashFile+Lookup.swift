extension TokyoCabinetHashFile {
    /// The value of a key, found by its hash; `nil` if there is none.
    ///
    /// - Throws: ``BNRError``: `corruption` if the path to it is damaged. It may still be in ``records``.
    /// - Complexity: O(log n), where n is the number of records in a bucket.
    public func value(for key: [UInt8]) throws(BNRError) -> ArraySlice<UInt8>? {
        let hash = HashFileHash(key)
        guard var place = blocks.root(of: hash) else { throw damaged("the buckets are damaged") }
        // The records on a path do not overlap, so together they are no larger than the file.
        var size = 0
        while place != 0 {
            guard let block = blocks.shape(at: place), block.isRecord else { throw damaged("there is no record at \(place)") }
            size += block.key.upperBound - place
            guard size <= blocks.bytes.count else { throw damaged("records form a cycle or overlap") }
            let stored = blocks.bytes[block.key]
            guard HashFileHash(stored).second == block.hash else { throw damaged("there is no record at \(place)") }
            switch Self.order((hash.second, key[...]), (block.hash, stored)) {
            case 0: return blocks.bytes[block.value]
            case 1: place = block.left
            default: place = block.right
            }
        }
        return nil
    }

    private func damaged(_ what: String) -> BNRError { BNRError(.corruption, "cannot look up a key in the hash file: \(what)") }

    /// By hash, then by length, then by bytes.
    private static func order(_ one: (UInt8, ArraySlice<UInt8>), _ other: (UInt8, ArraySlice<UInt8>)) -> Int {
        if one.0 != other.0 { return one.0 > other.0 ? 1 : -1 }
        if one.1.count != other.1.count { return one.1.count > other.1.count ? 1 : -1 }
        if one.1 == other.1 { return 0 }
        return other.1.lexicographicallyPrecedes(one.1) ? 1 : -1
    }
}

extension HashFileBlocks {
    /// The number of buckets in the file.
    var bucketCount: Int { Int(min(header.bucketCount, UInt64((bytes.count - HashFileHeader.byteCount) / HashFileHeader.bucketSize))) }

    /// The root of the tree in a bucket; 0 if it is empty.
    func root(ofBucket bucket: Int) -> Int {
        place(number(at: HashFileHeader.byteCount + bucket * HashFileHeader.bucketSize, HashFileHeader.bucketSize))
    }

    /// The root of the tree for a key; `nil` if its bucket is not in the file.
    func root(of hash: HashFileHash) -> Int? {
        guard header.bucketCount > 0 else { return nil }
        let bucket = hash.first % header.bucketCount
        return bucket < UInt64(bucketCount) ? root(ofBucket: Int(bucket)) : nil
    }
}
