/// Where a gram occurs in a text: the numbers of scalars before it, if they are known. At most eight, each below 255; otherwise they are
/// unknown.
package struct TextPlaces: Equatable, Sendable {
    /// A byte for each place, the least in the lowest byte, then bytes of 255.
    private(set) var bits: UInt64

    private init(bits: UInt64) { self.bits = bits }

    /// The gram occurs in more places than are kept, farther back, or at unknown places.
    package static let unknown = TextPlaces(bits: .max)
    static let mostCount = 8

    /// - Parameter count: The number of scalars before the gram; unknown if 255 or more.
    @inline(__always)
    init(_ count: Int) { bits = count < 255 ? ~0xFF | UInt64(truncatingIfNeeded: count) : .max }

    /// - Parameter byte: A place, or 255 for unknown.
    @inline(__always)
    init(byte: UInt8) { bits = ~0xFF | UInt64(byte) }

    @inline(__always) package var isKnown: Bool { bits != .max }
    /// Whether there is one place, or they are unknown.
    @inline(__always) var isByte: Bool { bits >= ~0xFF }
    /// The first place; 255 if unknown.
    @inline(__always) package var first: UInt8 { UInt8(truncatingIfNeeded: bits) }
    /// The number of places; 0 if unknown.
    package var count: Int { 8 - (~bits).leadingZeroBitCount / 8 }

    /// The place at an index below ``count``.
    package subscript(index: Int) -> UInt8 { UInt8(truncatingIfNeeded: bits >> UInt64(index * 8)) }

    /// Adds a place that is greater than the others. Another one, 255, or one too many makes them all unknown.
    mutating func add(_ place: UInt8) {
        guard isKnown, place != 255, count < Self.mostCount, place > self[count - 1] else {
            self = .unknown
            return
        }
        let shift = UInt64(count * 8)
        bits = bits & ~(0xFF << shift) | UInt64(place) << shift
    }

    /// Where a pattern begins if its gram at `offset` has these known places; `nil` if it would begin before the text.
    @inline(__always)
    func starts(_ offset: UInt8) -> TextPlaces? {
        guard !isByte else { return first >= offset ? TextPlaces(byte: first - offset) : nil }
        return severalStarts(offset)
    }

    @inline(never)
    private func severalStarts(_ offset: UInt8) -> TextPlaces? {
        var starts: TextPlaces?
        for index in 0..<count where self[index] >= offset { starts.append(self[index] - offset) }
        return starts
    }

    /// The places that are in both; `nil` if there are none. Both are known.
    @inline(__always)
    func common(_ other: TextPlaces) -> TextPlaces? {
        guard !(isByte && other.isByte) else { return self == other ? self : nil }
        return severalCommon(other)
    }

    @inline(never)
    private func severalCommon(_ other: TextPlaces) -> TextPlaces? {
        var common: TextPlaces?
        var next = 0
        for index in 0..<count {
            while next < other.count, other[next] < self[index] { next += 1 }
            if next < other.count, other[next] == self[index] { common.append(self[index]) }
        }
        return common
    }
}

extension TextPlaces? {
    /// Adds a place, or creates the places with it.
    @inline(__always)
    package mutating func append(_ place: UInt8) {
        guard var places = self else {
            self = TextPlaces(byte: place)
            return
        }
        places.add(place)
        self = places
    }
}
