import BenchKit
import CairnCore

/// The two kinds of keys, 16 bytes each: what people write, and what spreads evenly.
enum KeyKind: String, CaseIterable, Sendable {
    /// `key-----00000042`
    case decimal
    /// Two numbers of SplitMix64.
    case binary
}

/// Many keys, one behind the other.
struct Keys: Sendable {
    static let size = 16
    private(set) var bytes: [UInt8] = []
    var count: Int { bytes.count / Self.size }

    /// The keys of some rows, in that order.
    init(_ kind: KeyKind, _ rows: some Collection<Int>) {
        bytes.reserveCapacity(rows.count * Self.size)
        for row in rows {
            switch kind {
            case .decimal:
                let digits = String(row)
                bytes += "key-----".utf8
                bytes += repeatElement(UInt8(ascii: "0"), count: 8 - digits.utf8.count)
                bytes += digits.utf8
            case .binary:
                for half in 0..<2 {
                    let number = mix(UInt64(2 * row + half))
                    bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
                }
            }
        }
    }

    @inline(__always)
    @_lifetime(borrow self)
    func key(_ index: Int) -> RawSpan {
        unsafe bytes.span.bytes.extracting(index * Self.size..<(index + 1) * Self.size)
    }
}

/// The number of SplitMix64 that belongs to this one.
func mix(_ number: UInt64) -> UInt64 { SplitMix64.mixed(number &* SplitMix64.increment &+ 0x1234_5678) }

enum Values {
    static let size = 100
    /// Does not compress; its first 8 bytes are replaced by the row's number.
    static let template: [UInt8] = (0..<size).map { UInt8(truncatingIfNeeded: mix(UInt64($0) + 1_000_003) >> 32) }
}

/// The first 8 bytes.
@inline(__always)
func word(_ bytes: RawSpan) -> UInt64 { unsafe bytes.unsafeLoadUnaligned(as: UInt64.self) }
