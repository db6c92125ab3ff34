#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

extension String {
    /// Whether the string, decoded from `bytes`, has exactly these bytes: decoding repairs invalid UTF-8, which always changes bytes.
    @inlinable @inline(__always)
    func isExactly(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe bytes.isASCII || equals(bytes)
    }

    @usableFromInline @inline(never)
    func equals(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let isEqual = unsafe utf8.withContiguousStorageIfAvailable { text in
            unsafe text.count == bytes.count && memcmp(text.baseAddress!, bytes.baseAddress!, bytes.count) == 0
        }
        return isEqual ?? false
    }
}

extension UnsafeRawBufferPointer {
    /// Whether all bytes are below 0x80.
    @inlinable @inline(__always)
    var isASCII: Bool {
        var offset = 0
        var all: UInt64 = 0
        while offset &+ 8 <= count {
            unsafe all |= loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        while offset < count {
            unsafe all |= UInt64(loadUnaligned(fromByteOffset: offset, as: UInt8.self))
            offset &+= 1
        }
        return all & 0x8080_8080_8080_8080 == 0
    }
}
