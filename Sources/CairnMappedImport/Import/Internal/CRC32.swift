/// CRC-32 as in zlib (polynomial 0x04C11DB7, reflected): the checksum of MMKV files.
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }

    private static func add(_ byte: UInt8, to state: UInt32) -> UInt32 {
        table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8
    }

    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 { ~bytes.reduce(~0) { add($1, to: $0) } }

    /// The length of the longest prefix that has this checksum; `nil` if none has.
    static func lastFit(of checksum: UInt32, in bytes: ArraySlice<UInt8>) -> Int? {
        var state = ~UInt32(0)
        var fit: Int?
        for (index, byte) in bytes.enumerated() {
            state = add(byte, to: state)
            if ~state == checksum { fit = index + 1 }
        }
        return fit
    }
}
