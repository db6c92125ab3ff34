import CairnCore
import CairnEngine

/// What the latest commits wrote, as stored for other processes: a row per commit.
///
/// ```
/// version  of the commit; the greatest is that of the store
/// total    the size of this change and of all before it
/// change   number of keys, then each key after its size
///          number of deleted ranges, then each lower bound after its size, and each upper bound after its size plus one, or 0 for none
///          CRC32C of the above, 4 bytes, little-endian
///          NULL for a commit whose keys are too large to be kept: anything may have changed
/// ```
///
/// Numbers in a change are varints.
enum SQLiteHistory {
    /// The maximum size of the changes that are kept.
    static let capacity: Int64 = 1 << 20
    /// The size of the largest change that is kept.
    static let largestChange = 128 << 10

    /// What a row adds to the total.
    static func cost(of change: [UInt8]?) -> Int64 { Int64(change?.count ?? 0) + 32 }

    /// `nil` if it is too large.
    static func encode(_ writes: EngineWrites) -> [UInt8]? {
        let ranges = writes.deletedRanges.reduce(0) { $0 + $1.lowerBound.count + ($1.upperBound?.count ?? 0) + 16 }
        guard writes.keyByteCount + writes.count * 4 + ranges <= largestChange else { return nil }
        var bytes: [UInt8] = []
        Varint.append(UInt64(writes.count), to: &bytes)
        for index in 0..<writes.count {
            let key = writes.key(at: index)
            Varint.append(UInt64(key.byteCount), to: &bytes)
            unsafe key.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        }
        Varint.append(UInt64(writes.deletedRanges.count), to: &bytes)
        for range in writes.deletedRanges {
            Varint.append(UInt64(range.lowerBound.count), to: &bytes)
            bytes += range.lowerBound
            Varint.append(range.upperBound.map { UInt64($0.count) + 1 } ?? 0, to: &bytes)
            bytes += range.upperBound ?? []
        }
        let sum = CRC32C.checksum(of: bytes)
        for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: sum >> UInt32(shift))) }
        return bytes
    }

    /// `nil` if it is damaged.
    static func decode(_ bytes: [UInt8], version: EngineVersion) -> EngineChange? {
        guard bytes.count >= 4 else { return nil }
        let body = Array(bytes.dropLast(4))
        let sum = bytes.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard CRC32C.checksum(of: body) == sum else { return nil }
        var reader = Reader(bytes: body)
        do throws(CodecError) {
            var keys = KeyList()
            for _ in 0..<(try reader.number()) { keys.append(try reader.part()) }
            keys.isSorted = true
            var ranges: [KeyRange] = []
            for _ in 0..<(try reader.number()) {
                let lower = try reader.part()
                let size = try reader.number()
                ranges.append(KeyRange(lowerBound: lower, upperBound: size == 0 ? nil : try reader.part(size - 1)))
            }
            return EngineChange(version: version, keys: keys, deletedRanges: ranges)
        } catch {
            return nil
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        var offset = 0

        mutating func number() throws(CodecError) -> Int {
            let bytes = bytes
            return Int(clamping: try Varint.decode(unsafe bytes.span.bytes, at: &offset))
        }

        mutating func part() throws(CodecError) -> [UInt8] { try part(number()) }

        mutating func part(_ count: Int) throws(CodecError) -> [UInt8] {
            guard count <= bytes.count - offset else { throw CodecError(.truncated, "a change is truncated") }
            defer { offset += count }
            return Array(bytes[offset..<offset + count])
        }
    }
}

extension SQLiteConnection {
    /// The latest version and the total of the changes up to it; `nil` in a damaged file.
    func latest() throws(SQLiteError) -> (version: EngineVersion, total: Int64)? {
        try first(.latest) { (EngineVersion(rawValue: UInt64(bitPattern: $0.number(0))), $0.number(1)) }
    }

    /// The commits after `version` that are kept; the others are part of one change that says anything may have changed.
    func changes(after version: EngineVersion) throws(SQLiteError) -> [EngineChange] {
        var changes: [EngineChange] = []
        var last = version.rawValue
        try forEach(.history) {
            $0.bind(Int64(bitPattern: version.rawValue), at: 1)
        } body: { row in
            let version = EngineVersion(rawValue: UInt64(bitPattern: row.number(0)))
            if version.rawValue > last + 1 { changes.append(EngineChange(everythingUpTo: EngineVersion(rawValue: version.rawValue - 1))) }
            last = version.rawValue
            let change = row.isNull(1) ? nil : unsafe SQLiteHistory.decode(Array(row.bytes(1)), version: version)
            // It is never wrong to say that anything may have changed.
            changes.append(change ?? EngineChange(everythingUpTo: version))
        }
        return changes
    }

    /// Adds a commit, and removes the oldest if there are too many.
    ///
    /// - Parameter start: The total before the oldest commit that is kept, or less.
    func add(_ writes: EngineWrites, _ version: EngineVersion, after total: Int64, start: inout Int64) throws(SQLiteError) {
        let change = SQLiteHistory.encode(writes)
        let newTotal = total + SQLiteHistory.cost(of: change)
        let bytes = change ?? []
        try unsafe bytes.span.bytes.withUnsafeBytes { (bytes) throws(SQLiteError) in
            try run(.addCommit) { statement in
                statement.bind(Int64(bitPattern: version.rawValue), at: 1)
                statement.bind(newTotal, at: 2)
                if change == nil { statement.bindNothing(at: 3) } else { unsafe statement.bind(bytes, at: 3) }
            }
        }
        guard newTotal - start > SQLiteHistory.capacity else { return }
        // Removes half, so that this is rare; never the new commit, which has the version.
        let newStart = min(newTotal - SQLiteHistory.capacity / 2, total)
        try run(.pruneCommits) { $0.bind(newStart, at: 1) }
        start = newStart
    }
}
