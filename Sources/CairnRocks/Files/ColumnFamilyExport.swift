import CRocks
import CairnCore

// The file that an export stores next to the sorted files; docs/formats/column-family-export.md has the same table.
//
// | bytes | what |
// | --- | --- |
// | 8 | `CairnCFx` |
// | 1 | version, 1 |
// | varint | length of the comparator's name, then the name in UTF-8 |
// | varint | number of files; for each: |
// | varint, bytes | name |
// | varint | level |
// | varint | size in bytes |
// | varint, varint | smallest and largest sequence number |
// | varint, bytes | smallest key |
// | varint, bytes | largest key |
// | 4 | CRC-32C of everything before, little-endian |
struct ColumnFamilyExport: Equatable {
    struct File: Equatable {
        var name: String
        var level: Int32
        var size, smallestSequenceNumber, largestSequenceNumber: UInt64
        var smallest, largest: [UInt8]
    }

    static let fileName = "CAIRN-EXPORT"
    private static let magic = [UInt8]("CairnCFx".utf8) + [1]

    var comparator: String
    var files: [File]

    var encoded: [UInt8] {
        var bytes = Self.magic
        func append(_ data: some Collection<UInt8>) {
            Varint.append(UInt64(data.count), to: &bytes)
            bytes += data
        }
        append(comparator.utf8)
        Varint.append(UInt64(files.count), to: &bytes)
        for file in files {
            append(file.name.utf8)
            for number in [UInt64(file.level), file.size, file.smallestSequenceNumber, file.largestSequenceNumber] {
                Varint.append(number, to: &bytes)
            }
            append(file.smallest)
            append(file.largest)
        }
        let checksum = CRC32C.checksum(of: bytes)
        return bytes + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
    }

    init(comparator: String, files: [File]) {
        self.comparator = comparator
        self.files = files
    }

    /// Decodes the output of ``encoded``; throws for anything else.
    init(decoding bytes: [UInt8]) throws(RocksError) {
        let damaged = RocksError(.corruption, "the file list, \(Self.fileName), is damaged")
        guard bytes.starts(with: Self.magic.dropLast().prefix(bytes.count)) else {
            throw RocksError(.foreignFile, "the file \(Self.fileName) is not an export's file list")
        }
        guard bytes.count >= Self.magic.count + 4 else { throw damaged }
        guard bytes[Self.magic.count - 1] == 1 else {
            let version = bytes[Self.magic.count - 1]
            throw RocksError(.notSupported, "the export has version \(version), but this version of Cairn reads only version 1")
        }
        let body = Array(bytes.dropLast(4))
        let checksum = bytes.suffix(4).reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        guard CRC32C.checksum(of: body) == checksum else { throw damaged }
        var offset = Self.magic.count
        func number() throws(RocksError) -> UInt64 {
            do { return try Varint.decode(body.span.bytesOfUInt8, at: &offset) } catch { throw damaged }
        }
        func data() throws(RocksError) -> [UInt8] {
            guard let count = Int(exactly: try number()), count <= body.count - offset else { throw damaged }
            defer { offset += count }
            return Array(body[offset..<offset + count])
        }
        func text() throws(RocksError) -> String {
            guard let text = String(validating: try data(), as: UTF8.self), !text.utf8.contains(0) else { throw damaged }
            return text
        }
        comparator = try text()
        files = []
        for _ in 0..<(try number()) {
            let name = try text()
            guard !name.contains("/"), name.hasSuffix(".sst"), let level = Int32(exactly: try number()) else { throw damaged }
            files.append(
                File(
                    name: name,
                    level: level,
                    size: try number(),
                    smallestSequenceNumber: try number(),
                    largestSequenceNumber: try number(),
                    smallest: try data(),
                    largest: try data()
                )
            )
        }
        guard offset == body.count else { throw damaged }
    }
}
