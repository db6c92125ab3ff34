import CairnCore

/// Varints, one after the other: what can be read is written as the same bytes, and what cannot leaves the position alone.
public struct VarintFuzzTarget: FuzzTarget {
    public static let name = "varints"

    public init() {}

    public func check(_ bytes: RawSpan) throws {
        let source = [UInt8](copying: bytes)
        var offset = 0
        while true {
            let start = offset
            do {
                let value = try Varint.decode(bytes, at: &offset)
                var written: [UInt8] = []
                Varint.append(value, to: &written)
                try require(written[...] == source[start..<offset], "\(value) is written as \(written)")
                try require(Varint.byteCount(of: value) == written.count, "the length of \(value) is wrong")
                try checkSigned(bytes, from: start, to: offset)
            } catch is CodecError {
                try require(offset == start, "an error moved the position from \(start) to \(offset)")
                break
            }
        }
        for outside in [-1, source.count, Int.max, Int.min] {
            var offset = outside
            try require((try? Varint.decode(bytes, at: &offset)) == nil, "a number was read at \(outside)")
        }
    }

    private func checkSigned(_ bytes: RawSpan, from start: Int, to end: Int) throws {
        var offset = start
        let value = try Varint.decodeSigned(bytes, at: &offset)
        var written: [UInt8] = []
        Varint.appendSigned(value, to: &written)
        try require(offset == end && written[...] == [UInt8](copying: bytes)[start..<end], "\(value), signed, is written as \(written)")
        try require(Varint.byteCount(ofSigned: value) == written.count, "the length of \(value), signed, is wrong")
    }
}
