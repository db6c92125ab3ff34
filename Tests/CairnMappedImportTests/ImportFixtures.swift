import CairnMapped
import CairnMappedImport
import Foundation
import Synchronization
import Testing

/// AES by the book (FIPS 197): what importers of encrypted files are given.
struct ReferenceAES {
    /// The multiplicative inverse in GF(2^8), then the affine transformation.
    private static let box: [UInt8] = (0...255).map { (byte: UInt8) -> UInt8 in
        var inverse: UInt8 = 0
        while byte != 0, multiply(byte, inverse) != 1 { inverse += 1 }
        var result: UInt8 = inverse ^ 0x63
        for shift in 1...4 { result ^= inverse << UInt8(shift) | inverse >> UInt8(8 - shift) }
        return result
    }

    private static let doubles: [UInt8] = (0...255).map { multiply($0, 2) }

    private static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var (a, b, product) = (a, b, UInt8(0))
        while b != 0 {
            if b & 1 == 1 { product ^= a }
            a = a << 1 ^ (a & 0x80 != 0 ? 0x1B : 0)
            b >>= 1
        }
        return product
    }

    private let roundKeys: [[UInt8]]

    init(key: [UInt8]) {
        let count = key.count / 4
        var words = (0..<count).map { Array(key[4 * $0..<4 * $0 + 4]) }
        var constant: UInt8 = 1
        for index in count..<4 * (count + 7) {
            var word = words[index - 1]
            if index % count == 0 {
                word = (Array(word.dropFirst()) + word.prefix(1)).map { Self.box[Int($0)] }
                word[0] ^= constant
                constant = Self.multiply(constant, 2)
            } else if count > 6, index % count == 4 {
                word = word.map { Self.box[Int($0)] }
            }
            words.append(zip(words[index - count], word).map { $0 ^ $1 })
        }
        roundKeys = stride(from: 0, to: words.count, by: 4).map { Array(words[$0..<$0 + 4].joined()) }
    }

    func encrypt(_ block: inout [UInt8]) {
        let (box, doubles) = (Self.box, Self.doubles)
        var index = 0
        while index < 16 {
            block[index] ^= roundKeys[0][index]
            index += 1
        }
        var shifted = block
        for round in 1..<roundKeys.count {
            let key = roundKeys[round]
            // Rows are shifted, then the columns mixed, except in the last round.
            index = 0
            while index < 16 {
                shifted[index] = box[Int(block[(index + 4 * (index & 3)) & 15])]
                index += 1
            }
            index = 0
            while index < 16 {
                let (column, row) = (index & 12, index & 3)
                var byte = shifted[index]
                if round < roundKeys.count - 1 {
                    let next = shifted[column + ((row + 1) & 3)]
                    byte = doubles[Int(byte ^ next)] ^ next ^ shifted[column + ((row + 2) & 3)] ^ shifted[column + ((row + 3) & 3)]
                }
                block[index] = byte ^ key[index]
                index += 1
            }
        }
    }

    /// CFB with segments of 128 bits.
    static func encryptCFB(_ plain: [UInt8], key: [UInt8], vector: [UInt8]) -> [UInt8] {
        let cipher = ReferenceAES(key: key)
        var block = vector
        var result: [UInt8] = []
        for start in stride(from: 0, to: plain.count, by: 16) {
            cipher.encrypt(&block)
            let part = zip(plain[start..<min(start + 16, plain.count)], block).map { $0 ^ $1 }
            result += part
            block = part
        }
        return result
    }
}

extension MappedImportCipher {
    /// AES of this file.
    static func reference(_ key: String) -> MappedImportCipher { reference(Array(key.utf8)) }

    static func reference(_ key: [UInt8]) -> MappedImportCipher {
        // Its round keys take longer than a block.
        let known = Mutex<[[UInt8]: ReferenceAES]>([:])
        return MappedImportCipher(key: key) { block, key in
            let cipher = known.withLock { known in
                let cipher = known[key] ?? ReferenceAES(key: key)
                known[key] = cipher
                return cipher
            }
            cipher.encrypt(&block)
        }
    }
}

/// Writes files as MMKV does.
struct MMKVFixture {
    var hasExpiry = false
    /// Fewer bits than its length are made up for with zeros.
    var key: [UInt8]?
    var vector = Array(UInt8(101)...116)
    var version: UInt32 = 4
    /// What is in front of the records.
    var holder: UInt64 = 0x00FF_FFFF
    /// How many bytes were known to be on the disk.
    var confirmedCount = 4
    /// Bytes behind those in use.
    var slack: [UInt8] = Array(repeating: 0, count: 64)
    private(set) var payload: [UInt8] = []
    /// Where each record ends, in the file.
    private(set) var ends: [Int] = []

    static func varint(_ number: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        Varint.append(number, to: &bytes)
        return bytes
    }

    static func little(_ number: some FixedWidthInteger) -> [UInt8] {
        (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    static func counted(_ bytes: some Collection<UInt8>) -> [UInt8] { varint(UInt64(bytes.count)) + bytes }
    static func text(_ text: String) -> [UInt8] { counted(text.utf8) }
    static func int(_ number: Int64) -> [UInt8] { varint(UInt64(bitPattern: number)) }
    static func double(_ number: Double) -> [UInt8] { little(number.bitPattern) }
    static func float(_ number: Float) -> [UInt8] { little(number.bitPattern) }
    static func strings(_ strings: [String]) -> [UInt8] { counted(strings.flatMap { text($0) }) }

    static func crc(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }

    /// Sets `value`, which is encoded; an empty one removes the key.
    mutating func set(_ value: [UInt8], _ key: some Collection<UInt8>, expires: UInt32 = 0) {
        if payload.isEmpty { payload = Self.varint(holder) }
        payload += Self.counted(key) + Self.counted(hasExpiry && !value.isEmpty ? value + Self.little(expires) : value)
        ends.append(4 + payload.count)
    }

    mutating func set(_ value: [UInt8], _ key: String, expires: UInt32 = 0) { set(value, Array(key.utf8), expires: expires) }

    var cipherText: [UInt8] {
        guard let key else { return payload }
        return ReferenceAES.encryptCFB(payload, key: key, vector: version >= 2 ? vector : Array(key.prefix(16)))
    }

    var data: [UInt8] { (version >= 3 ? [0, 0, 0, 0] : Self.little(UInt32(payload.count))) + cipherText + slack }

    var meta: [UInt8] {
        let text = cipherText
        let usesVector = key != nil && version >= 2
        var meta = Self.little(Self.crc(text)) + Self.little(version) + Self.little(UInt32(7))
        meta += usesVector ? vector : Array(repeating: 0, count: 16)
        meta += Self.little(version >= 3 ? UInt32(text.count) : 0)
        meta += Self.little(UInt32(min(confirmedCount, text.count))) + Self.little(Self.crc(text.prefix(confirmedCount)))
        meta += Array(repeating: 0, count: 64) + Self.little(UInt64(hasExpiry ? 1 : 0))
        return meta + Array(repeating: 0, count: 16)
    }
}

/// Writes files as Goose does.
struct GooseFixture {
    private(set) var records: [UInt8] = []
    private(set) var ends: [Int] = []

    mutating func store(_ value: [UInt8], _ key: some Collection<UInt8>) {
        records += MMKVFixture.little(UInt64(key.count)) + MMKVFixture.little(UInt64(value.count)) + key + value
        ends.append(8 + records.count)
    }

    mutating func store(_ value: [UInt8], _ key: String) { store(value, Array(key.utf8)) }

    var data: [UInt8] { MMKVFixture.little(UInt64(records.count)) + records + Array(repeating: 0, count: 40) }
}

extension MappedImport {
    /// The values by key.
    var values: [String: MappedVariant] { Dictionary(entries.map { ($0.key, $0.value) }) { _, last in last } }
    var deadlines: [String: Date] { Dictionary(entries.compactMap { entry in entry.expires.map { (entry.key, $0) } }) { _, last in last } }
    /// Everything, with values as they are stored: to compare even what is not equal to itself. Foundation traps on printing far dates.
    var stored: [String] {
        entries.map { entry in
            let seconds = entry.expires?.timeIntervalSinceReferenceDate
            let expires = seconds.map { $0.isNaN ? "nan" : "\($0)" } ?? "never"
            return "\(Array(entry.key.utf8)) \(entry.value.type) \(bytes(of: entry.value)) \(expires)"
        }
    }
}

func bytes(of value: MappedVariant) -> [UInt8] {
    (try? value.withStoredBytes { bytes, _ in [UInt8](copying: bytes) }) ?? []
}

/// The code of `body`'s error, which must be a ``MappedStoreError``; `nil` if it succeeds.
func importCode<Value>(_ body: () throws -> Value) -> MappedStoreError.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        if let error = error as? MappedStoreError { return error.code }
        Issue.record("a \(type(of: error)) instead of a MappedStoreError: \(error)")
        return nil
    }
}
