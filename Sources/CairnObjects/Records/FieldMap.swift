/// Which field of the records each property of a class is: the program's order on one side, the numbers of the store's catalog on the other.
///
/// Immutable. Make one for each class of a store when it is opened, and keep it as long as records are read.
@safe public final class FieldMap: @unchecked Sendable {
    // Sendable: written by the initialiser only.
    @usableFromInline let tags: UnsafeMutablePointer<UInt32>
    /// The number of properties.
    public let count: Int
    /// Whom properties that are relationships may lead to; empty where nothing is known of that.
    let rules: [ReferenceRule?]

    /// The first property is field 1, the second is field 2, and so on.
    public convenience init(count: Int) {
        self.init(count == 0 ? [] : Array(1...count))
    }

    /// Makes a map.
    ///
    /// - Parameter numbers: The number of each property's field, from 1 and below 2²⁸. 0 for a property that the store does not have: it
    ///   reads as missing. Numbers beyond count as 0.
    public convenience init(_ numbers: [Int]) { self.init(numbers, rules: []) }

    init(_ numbers: [Int], rules: [ReferenceRule?]) {
        count = numbers.count
        self.rules = rules
        unsafe tags = .allocate(capacity: max(count, 1))
        for (index, number) in numbers.enumerated() {
            unsafe tags[index] = (0..<Wire.numberLimit).contains(number) ? Self.tag(number) : 0
        }
    }

    deinit { unsafe tags.deallocate() }

    /// The number of the field that property `index` is; 0 if the store does not have it, or the program not the property.
    @inlinable
    public subscript(index: Int) -> Int { Int(Self.number(tag(at: index))) }

    func rule(at index: Int) -> ReferenceRule? { rules.indices.contains(index) ? rules[index] : nil }

    @inlinable @inline(__always)
    func tag(at index: Int) -> UInt32 {
        UInt(bitPattern: index) < UInt(bitPattern: count) ? unsafe tags[index] : 0
    }

    /// The number as it stands in a tag of one byte, above the kind; the highest bit is set if one byte does not hold it.
    @inlinable @inline(__always)
    static func tag(_ number: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: number) << 3 | (number < 16 ? 0 : 1 << 31)
    }

    @inlinable @inline(__always)
    static func number(_ tag: UInt32) -> UInt32 { (tag & ~(1 << 31)) >> 3 }
}
