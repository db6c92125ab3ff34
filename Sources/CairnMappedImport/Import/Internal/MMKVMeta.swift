/// The file next to an MMKV file, `NAME.crc`. Numbers are little-endian, as on every platform that MMKV runs on:
///
///     0 checksum (4), 4 version (4), 8 sequence (4), 12 initialisation vector (16), 28 size (4),
///     32 size and 36 checksum (4 each) when it was last known to be on the disk, 40 reserved (64), 104 flags (8)
struct MMKVMeta {
    /// The checksum of the first `size` bytes of the payload.
    struct Claim {
        var size: Int
        var checksum: UInt32
    }

    var current: Claim
    var confirmed: Claim
    var vector: [UInt8]
    private let version: UInt32
    private let flags: UInt64

    /// Parses the contents of the file; `nil` if they are truncated or all zeros, as in a file that was never written.
    init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard
            let checksum = reader.little(UInt32.self), let version = reader.little(UInt32.self), reader.take(4) != nil,
            let vector = reader.take(16), let size = reader.little(UInt32.self), let confirmedSize = reader.little(UInt32.self),
            let confirmedChecksum = reader.little(UInt32.self), reader.take(64) != nil, let flags = reader.little(UInt64.self),
            bytes.prefix(112).contains(where: { $0 != 0 })
        else { return nil }
        current = Claim(size: Int(size), checksum: checksum)
        confirmed = Claim(size: Int(confirmedSize), checksum: confirmedChecksum)
        self.vector = Array(vector)
        self.version = version
        self.flags = flags
    }

    /// No release writes higher versions: the number is damaged.
    private var isKnown: Bool { version <= 6 }
    /// Whether the size is stored here rather than before the payload.
    var hasSize: Bool { version >= 3 }
    /// Whether there is a vector; earlier versions used the key itself.
    var hasVector: Bool { version >= 2 }
    /// Whether values end with a deadline; `nil`: unknown.
    var hasExpiry: Bool? { isKnown ? version >= 4 && flags & 1 == 1 : nil }
}
