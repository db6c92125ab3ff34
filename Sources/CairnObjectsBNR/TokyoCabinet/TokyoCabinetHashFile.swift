/// A hash database file of Tokyo Cabinet 1.4, as its `tchdb` functions write them, read without that library.
///
/// ```swift
/// let file = try TokyoCabinetHashFile(path: "Music.bnr/Song")
/// for record in file.records { print(record.key.count, record.value.count) }
/// print(file.records.count, file.damage)
/// ```
///
/// The file is read into memory and scanned once when it is opened. Any bytes are accepted: ``damage`` lists what is damaged, and ``records`` has
/// everything outside of it. The format has no checksums, so changed bytes within a value are not detected.
///
/// `docs/formats/bnrpersistence.md` describes the format.
public struct TokyoCabinetHashFile: Sendable {
    /// A key and its value, which share the memory of the file.
    public struct Record: Hashable, Sendable {
        public let key: ArraySlice<UInt8>
        public let value: ArraySlice<UInt8>
    }

    /// A damaged part of a file.
    public struct Damage: Hashable, Sendable, CustomStringConvertible {
        /// The damaged bytes; empty if they are not known.
        public let bytes: Range<Int>
        /// A description of the damage.
        public let message: String

        /// The bytes, if known, and the message.
        public var description: String { bytes.isEmpty ? message : "bytes \(bytes.lowerBound)..<\(bytes.upperBound): \(message)" }
    }

    let blocks: HashFileBlocks
    let offsets: [Int]
    /// The damage found; empty if there is none.
    public let damage: [Damage]
    /// Whether the program that wrote the file did not close it. This alone is not damage.
    public let wasLeftOpen: Bool

    /// Reads the contents of a file.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - log: The file beside it with the suffix `.wal`, if there is one. If the file was not closed, an unfinished transaction is rolled back with it.
    /// - Throws: ``BNRError``: `foreignFile`, `notSupported` for another kind of database, a compressed one or one with 64-bit offsets,
    ///   `corruption` if the file ends within its header.
    /// - Complexity: O(n) if nothing is damaged, otherwise up to O(n log n), with memory for a few numbers per record.
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

    /// The records that can be read, in file order.
    public var records: Records { Records(file: self) }

    /// The number of records according to the header.
    public var claimedCount: UInt64 { blocks.header.recordCount }

    /// A collection of records.
    public struct Records: RandomAccessCollection, Sendable {
        let file: TokyoCabinetHashFile
        public var startIndex: Int { 0 }
        public var endIndex: Int { file.offsets.count }
        public subscript(position: Int) -> Record {
            guard let block = file.blocks.shape(at: file.offsets[position]) else { preconditionFailure("a record found before is missing") }
            return Record(key: file.blocks.bytes[block.key], value: file.blocks.bytes[block.value])
        }
    }
}
