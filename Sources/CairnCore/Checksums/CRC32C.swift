import CCairn

/// A CRC32C checksum (Castagnoli; RFC 3720, appendix B.4): detects accidental damage, but never proves who wrote the bytes.
///
/// ```swift
/// var checksum = CRC32C()
/// checksum.update(header)
/// checksum.update(body)
/// guard checksum.value == stored else { ... }
/// ```
///
/// Uses the processor's instructions on x86-64 with SSE4.2 and on ARMv8, and tables elsewhere; the results are equal.
public struct CRC32C: Hashable, Sendable {
    /// The checksum of all bytes so far; 0 before the first.
    public private(set) var value: UInt32

    /// Creates the checksum of no bytes.
    public init() { value = 0 }

    /// Continues from the `value` of an earlier checksum, as if its bytes had been added to this one.
    public init(extending value: UInt32) { self.value = value }

    /// Adds `bytes` to the checksum. How the bytes are split into pieces does not matter.
    ///
    /// - Complexity: O(n); several bytes per nanosecond with instructions.
    public mutating func update(_ bytes: some ByteSource & ~Escapable) {
        value = bytes.withBytes { span in
            unsafe span.withUnsafeBytes { unsafe cairn_crc32c(value, $0.baseAddress, $0.count) }
        }
    }

    /// Returns the checksum of `bytes` alone.
    public static func checksum(of bytes: some ByteSource & ~Escapable) -> UInt32 {
        var checksum = CRC32C()
        checksum.update(bytes)
        return checksum.value
    }
}

extension CRC32C {
    private static let maskDelta: UInt32 = 0xa282_ead8

    /// The ``value``, rotated and offset as LevelDB and RocksDB store it: suitable for storing among bytes that are checksummed in turn.
    ///
    /// The checksum of bytes that end with their own checksum is a constant, which detects nothing; masking prevents that.
    public var masked: UInt32 { (value >> 15 | value << 17) &+ Self.maskDelta }

    /// Returns the ``value`` whose ``masked`` form is `masked`.
    public static func unmask(_ masked: UInt32) -> UInt32 {
        let rotated = masked &- maskDelta
        return rotated >> 17 | rotated << 15
    }
}

extension CRC32C {
    /// Returns the checksum computed with tables, whatever the processor supports; continues from `value`.
    package static func softwareChecksum(of bytes: some ByteSource & ~Escapable, extending value: UInt32 = 0) -> UInt32 {
        bytes.withBytes { span in
            unsafe span.withUnsafeBytes { unsafe cairn_crc32c_software(value, $0.baseAddress, $0.count) }
        }
    }
}
