import CairnCore

/// Reads bytes from the front; returns `nil`, without moving, if there are too few.
struct ByteReader {
    let bytes: [UInt8]
    let end: Int
    var position: Int

    /// Reads from `start` to `end`, which are within `bytes`.
    init(_ bytes: [UInt8], from start: Int = 0, to end: Int? = nil) {
        self.bytes = bytes
        self.end = end ?? bytes.count
        position = start
    }

    var isAtEnd: Bool { position == end }

    mutating func take(_ count: UInt64) -> ArraySlice<UInt8>? {
        guard count <= UInt64(end - position) else { return nil }
        defer { position += Int(count) }
        return bytes[position..<position + Int(count)]
    }

    mutating func varint() -> UInt64? {
        var offset = position
        let value = bytes.withBytes { bytes in try? Varint.decode(bytes, at: &offset) }
        guard let value, offset <= end else { return nil }
        position = offset
        return value
    }

    /// Reads a little-endian number.
    mutating func little<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        take(UInt64(Number.bitWidth / 8)).map { $0.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) } }
    }
}

extension FixedWidthInteger {
    /// The little-endian number made of all of `bytes`; `nil` if their count differs.
    init?(little bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let number = reader.little(Self.self), reader.isAtEnd else { return nil }
        self = number
    }
}
