import CairnObjectsBNR
import CairnTestSupport
import Crypto
import CryptoExtras
import Foundation

/// What `BNRDataBuffer` writes.
struct OldBuffer {
    var bytes: [UInt8] = []

    /// - Parameter version: `nil`: without the byte for it.
    init(version: UInt8? = 0) { bytes = version.map { [$0] } ?? [] }

    static func little(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    private static func big(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }

    func uint8(_ number: UInt8) -> OldBuffer { adding([number]) }
    func uint32(_ number: UInt32) -> OldBuffer { adding(Self.little(number)) }
    func float32(_ number: Float) -> OldBuffer { adding(Self.big(UInt64(number.bitPattern), 4)) }
    func float64(_ number: Double) -> OldBuffer { adding(Self.big(number.bitPattern, 8)) }
    func string(_ text: String) -> OldBuffer { data(Array(text.utf8)) }
    func data(_ bytes: [UInt8]) -> OldBuffer { adding(Self.little(UInt32(bytes.count)) + bytes) }
    func date(_ date: Date?) -> OldBuffer { float64(date?.timeIntervalSinceReferenceDate ?? 0) }
    func array(_ rows: [UInt32]) -> OldBuffer { adding(Self.little(UInt32(rows.count)) + rows.flatMap(Self.little)) }
    func anyReference(_ number: UInt8, _ row: UInt32) -> OldBuffer { adding([number] + Self.little(row)) }
    func anyArray(_ objects: [(UInt8, UInt32)]) -> OldBuffer {
        adding(Self.little(UInt32(objects.count)) + objects.flatMap { [$0.0] + Self.little($0.1) })
    }
    func adding(_ more: [UInt8]) -> OldBuffer {
        var buffer = self
        buffer.bytes += more
        return buffer
    }
}

/// A class file of BNRPersistence.
struct OldClass {
    var number: UInt8
    var version: UInt8 = 0
    var lastRow: UInt32?
    var salt: [UInt8]? = [1, 2, 3, 4, 5, 6, 7, 8]
    var passphrase: String?
    var objects: [UInt32: OldBuffer] = [:]

    init(_ number: UInt8, version: UInt8 = 0, passphrase: String? = nil, _ objects: [UInt32: OldBuffer]) {
        self.number = number
        self.version = version
        self.passphrase = passphrase
        self.objects = objects
    }

    var metadata: [UInt8] { OldBuffer.little(lastRow ?? objects.keys.max() ?? 1) + [version, number] + (salt ?? []) }

    /// Its file, row by row, with a free block behind each third record.
    func writer() throws -> HashFileWriter {
        var writer = HashFileWriter([.record(key: OldBuffer.little(1), value: metadata)])
        for row in objects.keys.sorted() {
            let value =
                try passphrase.map { try Self.encrypted(objects[row]?.bytes ?? [], $0, salt ?? [], row) } ?? objects[row]?.bytes ?? []
            writer.blocks.append(.record(key: OldBuffer.little(row), value: value, morePadding: row % 5 == 0 ? 16 : 0))
            if row % 3 == 0 { writer.blocks.append(.free(size: 32, remains: [1, 2, 3, 0xC8, 0xB0])) }
        }
        return writer
    }

    static func encrypted(_ plain: [UInt8], _ passphrase: String, _ salt: [UInt8], _ row: UInt32) throws -> [UInt8] {
        let own = Array(salt.prefix(4)) + zip(salt.dropFirst(4), OldBuffer.little(row)).map { $0 ^ $1 }
        let key = SymmetricKey(data: Data(Insecure.MD5.hash(data: own + Array(passphrase.utf8))))
        let vector = try AES._CBC.IV(ivBytes: [UInt8](repeating: 0, count: 16))
        return Array(try AES._CBC.encrypt(own + plain, using: key, iv: vector))
    }
}

/// A directory of BNRPersistence.
final class OldStore: Sendable {
    private let directory: TemporaryDirectory
    var path: String { directory.path }

    init(_ classes: [String: OldClass] = [:], names: [String: OldBuffer] = [:]) throws {
        directory = try TemporaryDirectory()
        for (name, item) in classes { try write(name, try item.writer().file().bytes) }
        guard !classes.isEmpty || !names.isEmpty else { return }
        let blocks = names.sorted { $0.key < $1.key }.map { HashFileWriter.Block.record(key: Array($0.key.utf8), value: $0.value.bytes) }
        try write("NamedBuffers", HashFileWriter(blocks).file().bytes)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: directory.path(name)) }

    func write(_ name: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: directory.path(name))) }
}

/// What the real Tokyo Cabinet wrote.
enum Golden {
    static func path(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden/\(name)").path
    }

    static func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path(name)))) }
}
