import CairnCDB
import CairnCore
import CairnMapped
import CairnMappedImport

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The first and last bytes of a file, which identify its format.
struct FileSample {
    let path: String
    let size: Int64
    /// At most 64 KiB.
    let head: [UInt8]
    /// At most 8 bytes.
    let tail: [UInt8]

    init(_ path: String, size: Int64) throws(SystemCallError) {
        self.path = path
        self.size = size
        do throws(FileError) {
            let file = try File(path, [.read])
            head = try file.read(Int(min(size, 64 << 10)), at: 0)
            tail = try file.read(Int(min(size, 8)), at: size - min(size, 8))
            try file.close()
        } catch {
            // Without a cause, the file was truncated between the calls.
            throw (error.cause as? SystemCallError) ?? SystemCallError(call: "read", errno: EIO)
        }
    }

    /// The little-endian number of `count` bytes at `offset`; 0 if they are not there.
    private func number(_ offset: Int, _ count: Int) -> UInt64 {
        guard offset >= 0, offset + count <= head.count else { return 0 }
        return head[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    func starts(with text: String, at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }

    var isBlank: Bool { head.allSatisfy { $0 == 0 } && tail.allSatisfy { $0 == 0 } }

    // MARK: Stores

    var isMapped: Bool { starts(with: "CairnMap") || starts(with: "CairnMap", at: 3072) }

    /// Whether it ends like RocksDB's table formats: block-based, its predecessor, and plain tables.
    var isSorted: Bool {
        let magic = tail.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return tail.count == 8
            && [0x88E2_41B7_85F4_CFF7, 0xDB47_7524_8B80_FB57, 0x8242_2296_63BF_9564, 0x4F34_18EB_7A8F_13B8].contains(magic)
    }

    /// The layout of a constant database. The format has no magic number, but the tables in the header follow each other.
    var cdbDialect: CDBDialect? {
        if isChain(pair: 8) { return .standard }
        guard isChain(pair: 16) else { return nil }
        return hasWideHashes ? .go64 : .python64
    }

    /// Whether the slots of a constant database in a 64-bit layout have hashes of more than 32 bits: the layouts differ only in these. Where none has, as for
    /// keys of at most 3 bytes, both layouts are right. Reads the beginning of each hash table.
    private var hasWideHashes: Bool {
        guard let file = try? File(path, [.read]) else { return false }
        return (0..<256).contains { table in
            let (position, count) = (Int64(clamping: number(table * 16, 8)), Int(min(number(table * 16 + 8, 8), 256)))
            let slots = (try? file.read(count * 16, at: position)) ?? []
            return stride(from: 0, to: slots.count - 15, by: 16).contains { slots[$0 + 4..<$0 + 8] != [0, 0, 0, 0] }
        }
    }

    private func isChain(pair: Int) -> Bool {
        guard head.count >= 256 * pair else { return false }
        let entries = (0..<256).map { (position: number($0 * pair, pair / 2), count: number($0 * pair + pair / 2, pair / 2)) }
        let start = UInt64(256 * pair)
        // Damage and other writers break some links of a chain; other files have almost none.
        let links = zip(entries, entries.dropFirst()).count { first, second in
            let (length, overflows) = first.count.multipliedReportingOverflow(by: UInt64(pair))
            return first.position >= start && !overflows && first.position &+ length == second.position
        }
        return links >= 128
    }

    /// Whether the file looks like a Goose file: bytes in use (8), then records with the lengths of key and value (8 each).
    var isGoose: Bool {
        guard size >= 24, case let used = number(0, 8), used >= 16, used < 1 << 40 else { return false }
        let (keyCount, valueCount) = (number(8, 8), number(16, 8))
        guard keyCount > 0, keyCount <= 4096, 24 + Int(keyCount) <= head.count, valueCount <= used, 16 + keyCount + valueCount <= used
        else { return false }
        return isText(head[24..<24 + Int(keyCount)])
    }

    /// Whether there is a `.crc` file beside it that MMKV wrote.
    var hasMMKVMeta: Bool {
        guard let status = try? FileSystem.system.stat(path + ".crc"), status.kind == .file, status.size >= 112,
            let meta = try? FileSample(path + ".crc", size: status.size)
        else { return false }
        return meta.number(4, 4) <= 6 || size % 4096 == 0
    }

    /// Whether it looks like an MMKV file without its `.crc` file: whole pages, a first key, and records up to the end.
    var looksLikeMMKV: Bool {
        guard size > 0, size % 4096 == 0, size <= 1 << 30, number(0, 4) <= UInt64(size - 4) else { return false }
        // A number and the length of the key precede the first key.
        let place = 4 + head[4..<9].prefix { $0 >= 0x80 }.count + 1
        let count = Int(head[place])
        guard count > 0, count < 0x80, isText(head[place + 1..<place + 1 + count]) else { return false }
        guard let found = try? MappedImport.mmkv(path: path) else { return false }
        return found.report.recordCount > 0
    }

    private func isText(_ bytes: some BidirectionalCollection<UInt8>) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
            && String(validating: bytes, as: UTF8.self) != nil
    }

    // MARK: Other files

    /// Whether the file begins with text.
    var isText: Bool {
        // The last character may be cut in two.
        !head.isEmpty && (0..<min(4, head.count)).contains { isText(head.dropLast(size > Int64(head.count) ? $0 : 0)) }
    }

    /// What it is, if that is known.
    var phrase: String? { size == 0 ? "an empty file" : foreignPhrase ?? (isText ? "a text file" : nil) }

    /// The magic numbers of other formats.
    private var foreignPhrase: String? {
        let formats: [(mark: [UInt8], offset: Int, phrase: String)] = [
            ([0xDE, 0xC0, 0xEF, 0xBE], 16, "an LMDB database"),
            (Array("ToKyO CaBiNeT\n".utf8), 0, "a Tokyo Cabinet database"), (Array("bplist00".utf8), 0, "a property list"),
            (Array("CAIRNENC".utf8), 0, "an encrypted file of a RocksDB database"),
            (Array("CairnCFx".utf8), 0, "the list of an exported column family"),
            ([0x1F, 0x8B], 0, "a file compressed with gzip"), ([0x28, 0xB5, 0x2F, 0xFD], 0, "a file compressed with Zstandard"),
            (Array("PK\u{3}\u{4}".utf8), 0, "a ZIP archive"),
        ]
        return formats.first { head.dropFirst($0.offset).starts(with: $0.mark) }?.phrase
    }
}
