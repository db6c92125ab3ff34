import BenchKit

/// The rows of every workload, as RivalRocksDB.h describes them.
enum Rows {
    static let perPrefix: UInt64 = 1_000
    static let keySize = 16
    static let valueSize = 100
    /// Added to a suffix: a key that is not there, among keys that are.
    static let missing: UInt64 = 1 << 32

    /// Pseudo-random bytes, the same in every run; they do not compress.
    static let valueTemplate: [UInt8] = {
        var random = SplitMix64(state: 1)
        return (0..<valueSize).map { _ in UInt8(truncatingIfNeeded: random.next() >> 32) }
    }()

    @inline(__always)
    static func setKey(_ key: inout [UInt8], row: UInt32, offset: UInt64 = 0) {
        let (prefix, suffix) = UInt64(row).quotientAndRemainder(dividingBy: perPrefix)
        unsafe key.withUnsafeMutableBytes { bytes in
            unsafe bytes.storeBytes(of: prefix.bigEndian, as: UInt64.self)
            unsafe bytes.storeBytes(of: (suffix + offset).bigEndian, toByteOffset: 8, as: UInt64.self)
        }
    }

    @inline(__always)
    static func setPrefix(_ key: inout [UInt8], prefix: UInt32) {
        unsafe key.withUnsafeMutableBytes { unsafe $0.storeBytes(of: UInt64(prefix).bigEndian, as: UInt64.self) }
    }

    @inline(__always)
    static func setValue(_ value: inout [UInt8], row: UInt32) {
        unsafe value.withUnsafeMutableBytes { unsafe $0.storeBytes(of: UInt64(row), as: UInt64.self) }
    }

    /// What a value adds to a checksum.
    @inline(__always)
    static func checksum(_ value: RawSpan) -> UInt64 {
        unsafe value.unsafeLoadUnaligned(as: UInt64.self) &+ UInt64(value.byteCount)
    }

    @inline(__always)
    static func checksum(key: RawSpan, value: RawSpan) -> UInt64 {
        unsafe key.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self) &+ checksum(value)
    }
}
