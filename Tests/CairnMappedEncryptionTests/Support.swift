import CairnCore
import CairnMapped
import CairnMappedEncryption
import CairnTestSupport
import Crypto
import Foundation

/// A directory with stores for one test; keep it in a variable.
struct Vault {
    let directory: TemporaryDirectory
    let key = SymmetricKey(size: .bits256)
    var path: String { directory.path("store.map") }

    init() throws { directory = try TemporaryDirectory() }

    func open(_ cipher: (any MappedCipher)?, _ name: String = "store.map", readOnly: Bool = false) throws -> MappedStore {
        var options = MappedStoreOptions()
        options.cipher = cipher
        options.readOnly = readOnly
        return try MappedStore(path: directory.path(name), options: options, fileSystem: .quick)
    }

    /// Opens a store with this vault's key.
    func open(_ algorithm: MappedEncryption.Algorithm = .aesGCM) throws -> MappedStore {
        try open(MappedEncryption(key: key, algorithm: algorithm))
    }

    /// The code of the error that opening throws.
    func refusal(_ cipher: (any MappedCipher)?, _ name: String = "store.map") -> MappedStoreError.Code? { code { try open(cipher, name) } }

    /// The names of the files in which any of `words` can be read.
    func filesWith(_ words: String...) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { name in
            let contents = try Data(contentsOf: URL(fileURLWithPath: directory.path(name)))
            return words.contains { contents.range(of: Data($0.utf8)) != nil }
        }
    }
}

func code<Value>(_ body: () throws -> Value) -> MappedStoreError.Code? {
    do { _ = try body() } catch { return (error as? MappedStoreError)?.code }
    return nil
}

func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.utf8)
    return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16) }
}

/// The bytes of an open store, as an attacker can change them.
struct RawFile {
    private let handle: FileHandle

    init(_ path: String) throws { handle = try FileHandle(forUpdating: URL(fileURLWithPath: path)) }

    subscript(range: Range<Int>) -> [UInt8] {
        get {
            try! handle.seek(toOffset: UInt64(range.lowerBound))
            return [UInt8](try! handle.read(upToCount: range.count) ?? Data())
        }
        nonmutating set {
            try! handle.seek(toOffset: UInt64(range.lowerBound))
            try! handle.write(contentsOf: Data(newValue))
        }
    }

    func number(_ offset: Int) -> Int { self[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | Int($1) } }

    func setNumber(_ number: Int, at offset: Int) {
        self[offset..<offset + 8] = (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// Where the next record goes.
    var end: Int { number(1088) }

    /// The place of the record that `body` adds.
    func record(_ body: () throws -> Void) rethrows -> Range<Int> {
        let start = end
        try body()
        let count = 12 + number(start + 4) & 0xffff_ffff + Int(self[start + 8..<start + 9][0])
        return start..<start + count
    }

    /// Writes a text as a record that is not encrypted, with a right checksum; returns the place of the next.
    @discardableResult
    func writePlain(_ value: String, for key: String, at start: Int) -> Int {
        let (key, value) = (Array(key.utf8), Array(value.utf8))
        let lengths = [UInt8(value.count), 0, 0, 0, UInt8(key.count), 0]
        let bytes = [0, 0, 0, 0] + lengths + [0, 5] + key + value
        self[start..<start + bytes.count] = bytes
        mendChecksum(of: start..<start + bytes.count)
        return (start + bytes.count + 3) & ~3
    }

    /// Makes the checksum of a record right, as an attacker would.
    func mendChecksum(of record: Range<Int>) {
        let seed = UInt32(truncatingIfNeeded: number(16)) ^ UInt32(truncatingIfNeeded: record.lowerBound)
        var sum = CRC32C(extending: seed)
        sum.update(self[record.lowerBound + 4..<record.upperBound])
        self[record.lowerBound..<record.lowerBound + 4] = (0..<4).map { UInt8(truncatingIfNeeded: sum.value >> (8 * $0)) }
    }
}
