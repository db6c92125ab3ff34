import CairnCore
import CairnEngine

/// The parameters of a statement, in PostgreSQL's binary format.
struct PostgresParameters {
    private(set) var bytes: [UInt8] = []
    /// Where each parameter ends.
    private(set) var ends: [Int] = []

    /// The types that arrays contain, by PostgreSQL's numbers.
    private enum Element: UInt32 { case bytes = 17, number = 20 }

    mutating func add(_ part: RawSpan) {
        unsafe part.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        ends.append(bytes.count)
    }

    mutating func add(_ part: [UInt8]) {
        bytes += part
        ends.append(bytes.count)
    }

    mutating func add(_ number: Int64) { add(Self.bigEndian(number)) }

    mutating func add(_ number: Int32) { add(Self.bigEndian(number)) }

    mutating func add(_ numbers: [Int64]) {
        addArray(of: .number, count: numbers.count)
        for number in numbers {
            bytes += Self.bigEndian(Int32(8))
            bytes += Self.bigEndian(number)
        }
        ends.append(bytes.count)
    }

    mutating func add(_ parts: [[UInt8]]) {
        addArray(of: .bytes, count: parts.count)
        for part in parts { unsafe addElement(part.span.bytes) }
        ends.append(bytes.count)
    }

    /// Some of the keys.
    mutating func add(_ keys: KeyList, _ range: Range<Int>) {
        addArray(of: .bytes, count: range.count)
        for index in range { addElement(keys[index]) }
        ends.append(bytes.count)
    }

    mutating func addKeys(of writes: EngineWrites) {
        bytes.reserveCapacity(bytes.count + writes.byteCount + writes.count * 8)
        addArray(of: .bytes, count: writes.count)
        for index in 0..<writes.count { addElement(writes.key(at: index)) }
        ends.append(bytes.count)
    }

    mutating func addValues(of writes: EngineWrites) {
        addArray(of: .bytes, count: writes.count)
        for index in 0..<writes.count {
            if let value = writes.value(at: index) { addElement(value) } else { bytes += Self.bigEndian(Int32(-1)) }
        }
        ends.append(bytes.count)
    }

    private mutating func addArray(of element: Element, count: Int) {
        // Dimensions, whether it may contain NULL, the type; then the count and the first index.
        bytes += Self.bigEndian(Int32(count == 0 ? 0 : 1))
        bytes += Self.bigEndian(Int32(1))
        bytes += Self.bigEndian(element.rawValue)
        guard count > 0 else { return }
        bytes += Self.bigEndian(Int32(count))
        bytes += Self.bigEndian(Int32(1))
    }

    private mutating func addElement(_ part: RawSpan) {
        bytes += Self.bigEndian(Int32(part.byteCount))
        unsafe part.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }

    private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        stride(from: number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
