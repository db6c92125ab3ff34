/// The transaction log beside a hash file: the size of the file before the transaction (8), then for each write its offset (8), size (4), and the
/// previous bytes. Empty outside of transactions.
enum HashFileLog {
    /// Undoes the writes, latest first. A write whose log entry is incomplete was never made.
    static func undo(_ log: [UInt8], in bytes: inout [UInt8], isBigEndian: Bool) {
        func number(_ offset: Int, _ count: Int) -> UInt64 { log.number(offset, count, isBigEndian: isBigEndian) }
        guard log.count >= 8 else { return }
        var writes: [(offset: UInt64, bytes: ArraySlice<UInt8>)] = []
        var position = 8
        while log.count - position >= 12 {
            let (offset, size) = (number(position, 8), Int(number(position + 8, 4)))
            position += 12
            guard size <= log.count - position else { break }
            writes.append((offset, log[position..<position + size]))
            position += size
        }
        for write in writes.reversed() where write.offset <= UInt64(bytes.count) && write.bytes.count <= bytes.count - Int(write.offset) {
            let offset = Int(write.offset)
            bytes.replaceSubrange(offset..<offset + write.bytes.count, with: write.bytes)
        }
        let size = number(0, 8)
        if size < UInt64(bytes.count), size >= UInt64(HashFileHeader.byteCount) { bytes.removeLast(bytes.count - Int(size)) }
    }
}
