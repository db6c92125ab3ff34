import CairnCore
import CairnEngine

/// A revision of the commit key: the version of a commit, and what it wrote.
///
/// The value: the format (2; 1 before deletions were noted by areas), whether the keys are there (1) or were too many (0), the number of keys, their sizes and bytes, the number of ranges, and their bounds in
/// the same form, where one byte 0 or 1 before the end says whether there is one. Numbers are varints.
struct EtcdHead {
    static let format: UInt8 = 2
    /// The maximum size of keys and ranges that followers get.
    static let largestChange = 64 << 10

    /// The revision in which the commit key was created: another one belongs to another store.
    let created: UInt64
    /// The number of commits since then, the creation included.
    let count: UInt64
    let format: UInt8
    let change: EngineChange

    var version: EngineVersion { change.version }

    /// - Throws: `EngineError.foreignFile` or `.notSupported` for a value that no engine of this format has written.
    init(_ entry: EtcdReply.Entry) throws(EngineError) {
        created = entry.created
        count = entry.count
        format = entry.value.first ?? 0
        change = try Self.change(entry.value, EngineVersion(rawValue: entry.modified))
    }

    /// What a commit writes to the commit key.
    static func value(of writes: EngineWrites) -> [UInt8] {
        let ranges = writes.deletedRanges.reduce(0) { $0 + $1.lowerBound.count + ($1.upperBound?.count ?? 0) + 5 }
        let size = writes.keyByteCount + writes.count * 2 + ranges
        guard size <= largestChange else { return [format, 0] }
        var bytes: [UInt8] = [format, 1]
        bytes.reserveCapacity(size + 8)
        func append(_ part: RawSpan) {
            Varint.append(UInt64(part.byteCount), to: &bytes)
            unsafe part.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        }
        Varint.append(UInt64(writes.count), to: &bytes)
        for index in 0..<writes.count { append(writes.key(at: index)) }
        Varint.append(UInt64(writes.deletedRanges.count), to: &bytes)
        for range in writes.deletedRanges {
            append(unsafe range.lowerBound.span.bytes)
            bytes.append(range.upperBound == nil ? 0 : 1)
            if let upperBound = range.upperBound { append(unsafe upperBound.span.bytes) }
        }
        return bytes
    }

    private static func change(_ value: [UInt8], _ version: EngineVersion) throws(EngineError) -> EngineChange {
        // Formats are small numbers, and texts of other programs are not.
        guard let format = value.first, format < 0x20, value.count >= 2 else { throw foreign }
        guard 1...Self.format ~= format else {
            let message = "the store has format \(format), but this release supports only formats up to \(Self.format); update the program"
            throw EngineError(.notSupported, message)
        }
        guard value[1] == 1 else { return EngineChange(everythingUpTo: version) }
        var parts = Parts(value)
        guard let keys = parts.keys(), let ranges = parts.ranges() else { throw foreign }
        return EngineChange(version: version, keys: keys, deletedRanges: ranges)
    }

    /// Reads a value; `nil` where it ends too early.
    private struct Parts {
        let bytes: [UInt8]
        var offset = 2

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        private mutating func number() -> Int? {
            var end = offset
            guard let number = try? Varint.decode(unsafe bytes.span.bytes, at: &end) else { return nil }
            offset = end
            return Int(exactly: number)
        }

        private mutating func part() -> [UInt8]? {
            guard let size = number(), size <= bytes.count - offset else { return nil }
            defer { offset += size }
            return Array(bytes[offset..<offset + size])
        }

        mutating func keys() -> KeyList? {
            guard let count = number(), count <= bytes.count else { return nil }
            var keys = KeyList()
            for _ in 0..<count {
                guard let key = part() else { return nil }
                keys.append(key)
            }
            keys.isSorted = true
            return keys
        }

        mutating func ranges() -> [KeyRange]? {
            guard let count = number(), count <= bytes.count else { return nil }
            var ranges: [KeyRange] = []
            for _ in 0..<count {
                guard let lower = part(), let hasEnd = number() else { return nil }
                guard hasEnd == 1 else {
                    ranges.append(KeyRange(lowerBound: lower, upperBound: nil))
                    continue
                }
                guard let upper = part() else { return nil }
                ranges.append(KeyRange(lowerBound: lower, upperBound: upper))
            }
            return ranges
        }
    }

    private static var foreign: EngineError {
        EngineError(.foreignFile, "the commit key has another program's value; choose another prefix")
    }
}
