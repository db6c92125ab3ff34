#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension RawSpan {
    /// Compares bytes as unsigned numbers: less than zero if these bytes come before the others, zero if both are the same.
    package func order(to other: RawSpan) -> Int {
        unsafe withUnsafeBytes { mine in
            unsafe other.withUnsafeBytes { others in
                let common = min(mine.count, others.count)
                if common > 0 {
                    let order = unsafe memcmp(mine.baseAddress!, others.baseAddress!, common)
                    if order != 0 { return Int(order) }
                }
                return mine.count - others.count
            }
        }
    }

    /// Whether these bytes come before the others.
    package func isOrdered(before other: RawSpan) -> Bool { order(to: other) < 0 }

    /// Whether the bytes are the same.
    package func hasSameBytes(as other: RawSpan) -> Bool { byteCount == other.byteCount && order(to: other) == 0 }
}

extension [UInt8] {
    /// The same as `RawSpan.order(to:)`.
    package func order(to other: RawSpan) -> Int { unsafe span.bytes.order(to: other) }
}
