/// A hash database file of Tokyo Cabinet 1.4, as its `tchdb` functions write them, read without that library.
///
/// ```swift
/// let file = try TokyoCabinetHashFile(path: "Music.bnr/Song")
/// for record in file.records { print(record.key.count, record.value.count) }
/// print(file.records.count, file.damage)
/// ```
///
/// The whole file is in memory, and looked through once when it is opened. Any bytes may be given: what is damaged is told by ``damage``, and
/// ``records`` has what is outside of it. The format has no checksums: bytes that changed within a value are not found.
///
/// `docs/formats/bnrpersistence.md` has the format.
public struct TokyoCabinetHashFile: Sendable {
    /// A key and its value, which share the memory of the file.
    public struct Record: Hashable, Sendable {
        public let key: ArraySlice<UInt8>
        public let value: ArraySlice<UInt8>
    }

    /// Where a file is damaged.
    public struct Damage: Hashable, Sendable, CustomStringConvertible {
        /// The bytes concerned; empty where it is not known which they are.
        public let bytes: Range<Int>
        /// What is wrong with them.
        public let message: String

        /// The message, and where.
        public var description: String { bytes.isEmpty ? message : "bytes \(bytes.lowerBound)..<\(bytes.upperBound): \(message)" }
    }

    let blocks: HashFileBlocks
    let offsets: [Int]
    /// What is damaged; empty where nothing seems to be.
    public let damage: [Damage]
    /// Whether the file was not closed by the program that wrote it. That is no damage in itself.
    public let wasLeftOpen: Bool

    /// Reads the contents of a file.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - log: The file beside it with the suffix `.wal`, if there is one. Where the file was not closed, it takes back a transaction that was not
    ///     finished.
    /// - Throws: ``BNRError``: `foreignFile`, `notSupported` for another kind of database, a compressed one or one with 64-bit offsets,
    ///   `corruption` where the file ends within its header.
    /// - Complexity: O(n), where nothing is damaged. Damage costs up to O(n log n), and memory for a number for each record.
    public init(bytes: [UInt8], log: [UInt8]? = nil) throws(BNRError) {
        var bytes = bytes
        let header = try HashFileHeader(bytes)
        wasLeftOpen = header.isOpen
        if let log, wasLeftOpen { HashFileLog.undo(log, in: &bytes, isBigEndian: header.isBigEndian) }
        blocks = HashFileBlocks(bytes, try HashFileHeader(bytes))
        if let offsets = blocks.walk() {
            self.offsets = offsets
            damage = []
        } else {
            (offsets, damage) = blocks.recover()
        }
    }

    /// The records that can be read, in the order in which they are in the file.
    public var records: Records { Records(file: self) }

    /// How many records there are, as the file says.
    public var claimedCount: UInt64 { blocks.header.recordCount }

    /// A collection of records.
    public struct Records: RandomAccessCollection, Sendable {
        let file: TokyoCabinetHashFile
        public var startIndex: Int { 0 }
        public var endIndex: Int { file.offsets.count }
        public subscript(position: Int) -> Record {
            guard let block = file.blocks.shape(at: file.offsets[position]) else { preconditionFailure("a record was there before") }
            return Record(key: file.blocks.bytes[block.key], value: file.blocks.bytes[block.value])
        }
    }
}
