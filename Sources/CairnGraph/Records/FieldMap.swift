/// Maps the properties of a class, in the program's order, to the field numbers of the store's catalog.
///
/// Immutable. Make one for each class when a store is opened, and keep it as long as records are read.
@safe public final class FieldMap: @unchecked Sendable {
    // Sendable: written only by the initializer.
    @usableFromInline let tags: UnsafeMutablePointer<UInt32>
    /// The number of properties.
    public let count: Int
    /// Which objects relationships may refer to; empty if unknown.
    let rules: [ReferenceRule?]
    /// The fields of records that do not have them; empty if properties then have their defaults.
    let initial: [UInt8]
    @usableFromInline let hasInitial: Bool

    /// The first property is field 1, the second is field 2, and so on.
    public convenience init(count: Int) {
        self.init(count == 0 ? [] : Array(1...count))
    }

    /// Makes a map.
    ///
    /// - Parameter numbers: The field number of each property, from 1 and below 2²⁸. 0 for a property that the store does not have, which reads as
    ///   missing; greater numbers count as 0.
    public convenience init(_ numbers: [Int]) { self.init(numbers, rules: []) }

    init(_ numbers: [Int], rules: [ReferenceRule?], initial: [UInt8] = []) {
        count = numbers.count
        self.rules = rules
        self.initial = initial
        hasInitial = !initial.isEmpty
        unsafe tags = .allocate(capacity: max(count, 1))
        for (index, number) in numbers.enumerated() {
            unsafe tags[index] = (0..<Wire.numberLimit).contains(number) ? Self.tag(number) : 0
        }
    }

    deinit { unsafe tags.deallocate() }

    /// The field number of property `index`; 0 if the store or the program does not have it.
    @inlinable
    public subscript(index: Int) -> Int { Int(Self.number(tag(at: index))) }

    func rule(at index: Int) -> ReferenceRule? { rules.indices.contains(index) ? rules[index] : nil }

    @inlinable @inline(__always)
    func tag(at index: Int) -> UInt32 {
        UInt(bitPattern: index) < UInt(bitPattern: count) ? unsafe tags[index] : 0
    }

    /// The bit of property `index` in sets of properties; from the 64th on, they share the last.
    @inlinable @inline(__always)
    static func bit(_ index: Int) -> UInt64 { 1 << UInt64(min(index, 63)) }

    /// The number as it appears in a one-byte tag, above the kind; the highest bit is set if it doesn't fit in one byte.
    @inlinable @inline(__always)
    static func tag(_ number: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: number) << 3 | (number < 16 ? 0 : 1 << 31)
    }

    @inlinable @inline(__always)
    static func number(_ tag: UInt32) -> UInt32 { (tag & ~(1 << 31)) >> 3 }
}
