import CairnCore

#if _endian(big)
#error("mapped stores are little-endian in memory and on disk")
#endif

/// The layout of the file; `docs/formats/mapped.md` explains it.
enum MappedLayout {
    /// The page before the records: identity, shared words, identity again.
    static let headerSize = 4096
    static let identitySize = 1024
    static let identityCopy = 3072
    /// Records and index tables are aligned to this; offsets are stored divided by it.
    static let alignment = 4
    /// The size of the part of a record before its key.
    static let recordHeaderSize = 12
    static let largestKey = Int(UInt16.max)
    static let largestValue = 1 << 30
    static let largestCipherBlock = 900
    /// Bytes that a file has beyond its capacity, once it has grown: on a full disk, giving them back makes room for an empty file.
    static let spare = 12 << 10

    /// The same for a file of a size: none if it has not grown.
    static func spare(ofSize size: Int) -> Int { size > MappedFile.initialSize ? spare : 0 }

    static let magic: UInt64 = 0x7061_4d6e_7269_6143  // "CairnMap"
    static let version: UInt32 = 1

    static func aligned(_ size: Int) -> Int { (size &+ (alignment - 1)) & ~(alignment - 1) }
}

/// The identity of a file, written once when it is created, in two copies.
struct MappedIdentity: Equatable {
    /// Random, so that checksums and hashes of one file differ from those of another.
    var id: UInt128
    /// The data the cipher needs to be set up again; empty for an unencrypted store.
    var cipherBlock: [UInt8] = []

    var seed: UInt64 { UInt64(truncatingIfNeeded: id) }

    init(cipherBlock: [UInt8] = []) {
        id = UInt128.random(in: 1 ... .max)
        self.cipherBlock = cipherBlock
    }

    /// Returns the copy to be written to both places.
    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ number: some FixedWidthInteger) {
            for index in 0..<(number.bitWidth / 8) { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
        }
        append(MappedLayout.magic)
        append(MappedLayout.version)
        append(UInt32(MappedLayout.headerSize))
        append(id)
        append(UInt32(cipherBlock.isEmpty ? 0 : 1))
        append(UInt32(cipherBlock.count))
        bytes += cipherBlock
        bytes += [UInt8](repeating: 0, count: MappedLayout.identitySize - 4 - bytes.count)
        append(CRC32C.checksum(of: bytes))
        return bytes
    }

    /// Reads a copy.
    static func decode(_ bytes: RawSpan) -> Result<MappedIdentity, IdentityDefect> {
        guard bytes.byteCount >= MappedLayout.identitySize else { return .failure(.foreign) }
        func number<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as type: Number.Type) -> Number {
            unsafe Number(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
        }
        let isOurs = number(0, as: UInt64.self) == MappedLayout.magic
        let sum = CRC32C.checksum(of: bytes.extracting(first: MappedLayout.identitySize - 4))
        guard sum == number(MappedLayout.identitySize - 4, as: UInt32.self) else { return .failure(isOurs ? .damaged : .foreign) }
        guard isOurs else { return .failure(.foreign) }
        let version = number(8, as: UInt32.self)
        let count = Int(number(36, as: UInt32.self))
        guard version == MappedLayout.version, number(12, as: UInt32.self) == UInt32(MappedLayout.headerSize),
            count <= MappedLayout.largestCipherBlock
        else { return .failure(.newer(version)) }
        var identity = MappedIdentity()
        identity.id = number(16, as: UInt128.self)
        identity.cipherBlock = [UInt8](copying: bytes.extracting(40..<40 + count))
        return .success(identity)
    }
}

/// Why a copy of the identity is invalid.
enum IdentityDefect: Error { case foreign, damaged, newer(UInt32) }
