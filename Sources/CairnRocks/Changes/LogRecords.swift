import CairnCore

/// A write-ahead log file, read record by record while another process may still be writing to it. The format is described in
/// docs/formats/write-ahead-log.md:
///
/// | bytes | what |
/// | --- | --- |
/// | 4 | masked CRC32C of the type, the log's number if present, and the content |
/// | 2 | length of the content |
/// | 1 | type: 1 whole, 2 first, 3 middle, 4 last piece of a record; 5 to 8 the same with a log's number; 9 compression |
/// | 4 | with types 5 to 8: the log's number; a different one marks the remains of an older log in the same file |
///
/// No piece crosses a 32 KiB boundary.
struct LogRecords {
    private static let blockSize = 32_768
    private static let header = 7, numberedHeader = 11

    let number: UInt64
    private let file: File
    /// Where the next record begins.
    private var offset = 0
    /// Whether the file was reused from an older log, whose bytes follow the last record.
    private var isReused = false
    /// The part of a block that was read.
    private var block: [UInt8] = []
    private var blockStart = 0

    init(number: UInt64, path: String) throws(FileError) {
        self.number = number
        file = try File(path, .read)
    }

    /// Returns the next record, or `nil` if there is no complete one yet; there may be one later.
    ///
    /// - Throws: ``RocksError/Code/corruption``, ``RocksError/Code/notSupported`` for a compressed log, ``RocksError/Code/ioError``.
    mutating func next() throws(RocksError) -> [UInt8]? {
        var record: [UInt8]?
        var position = offset
        while let piece = try piece(at: &position) {
            switch (piece.type, record != nil) {
            case (1, false):
                offset = position
                return piece.content
            case (2, false): record = piece.content
            case (3, true): record! += piece.content
            case (4, true):
                offset = position
                return record! + piece.content
            case (9, _):
                if piece.content.contains(where: { $0 != 0 }) { throw error(.notSupported, "is compressed", at: offset) }
                offset = position
            // Sizes of timestamps, and types that later releases mark as safe to skip.
            case (10, _), (11, _), (128..., _): if record == nil { offset = position }
            default:
                if isReused { return end() }
                throw error(.corruption, "is damaged: a piece of type \(piece.type) is not allowed there", at: position)
            }
        }
        return end()
    }

    private mutating func end() -> [UInt8]? {
        // The block may have grown, or been filled in, by the next read.
        block = []
        return nil
    }

    /// Returns the piece at `position` and moves `position` past it; returns `nil` if the piece is incomplete.
    private mutating func piece(at position: inout Int) throws(RocksError) -> (type: UInt8, content: [UInt8])? {
        while true {
            let left = Self.blockSize - position % Self.blockSize
            if left < Self.header {
                position += left
                continue
            }
            guard let start = try bytes(Self.header, at: position) else { return nil }
            let checksum = Self.number(start[0..<4]), length = Int(start[4]) | Int(start[5]) << 8, type = start[6]
            if type == 0, length == 0 {
                // Either the rest of a block with no room for a numbered header, or space not yet written to.
                guard left < Self.numberedHeader, try bytes(left, at: position) != nil else { return nil }
                position += left
                continue
            }
            let isNumbered = (5...8).contains(type) || type == 11 || type == 131
            let header = isNumbered ? Self.numberedHeader : Self.header
            guard header + length <= left else {
                if isReused { return nil }
                throw error(.corruption, "is damaged: a piece is \(length) bytes long", at: position)
            }
            guard let piece = try bytes(header + length, at: position) else { return nil }
            if isNumbered, Self.number(piece[7..<11]) != UInt32(truncatingIfNeeded: number) { return nil }
            var actual = CRC32C()
            actual.update(Array(piece[6...]))
            guard actual.masked == checksum else {
                if isReused { return nil }
                throw error(.corruption, "is damaged: a checksum does not match", at: position)
            }
            if isNumbered { isReused = true }
            position += header + length
            return ((5...8).contains(type) ? type - 4 : type, Array(piece[header...]))
        }
    }

    /// Returns `count` bytes, all from one block, or `nil` if the file ends first.
    private mutating func bytes(_ count: Int, at position: Int) throws(RocksError) -> [UInt8]? {
        let start = position / Self.blockSize * Self.blockSize, end = position - start + count
        if blockStart != start || block.count < end {
            var read = [UInt8](repeating: 0, count: Self.blockSize)
            do throws(FileError) {
                var span = read.mutableSpan
                var raw = unsafe span.mutableBytes
                let size = try file.read(into: &raw, at: Int64(start))
                read.removeLast(read.count - size)
            } catch {
                throw RocksError(error, "reading the write-ahead log")
            }
            (block, blockStart) = (read, start)
        }
        return block.count < end ? nil : Array(block[(end - count)..<end])
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }

    private func error(_ code: RocksError.Code, _ what: String, at position: Int) -> RocksError {
        RocksError(code, "the log file '\(file.path)' \(what) (at byte \(position))")
    }
}
