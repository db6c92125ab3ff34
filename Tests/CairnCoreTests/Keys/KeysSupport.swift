import CairnCore
import CairnTestSupport
import Foundation

/// Random values that gather where encodings change: short, near powers of 256, full of zero bytes, equal starts.
extension SeededGenerator {
    mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type = Integer.self) -> Integer {
        let shift = Int.random(in: 0..<Integer.bitWidth, using: &self)
        let base: Integer = Bool.random(using: &self) ? Integer.random(in: .min ... .max, using: &self) >> shift : 1 << shift
        return base &+ Integer(truncatingIfNeeded: Int.random(in: -1...1, using: &self))
    }

    mutating func bytes() -> [UInt8] {
        let alphabet: [UInt8] = [0x00, 0x00, 0x01, 0x61, 0xFE, 0xFF, 0xFF]
        return (0..<Int.random(in: 0...5, using: &self)).map { _ in alphabet.randomElement(using: &self)! }
    }

    mutating func string() -> String {
        let alphabet: [Unicode.Scalar] = ["\u{0}", "\u{1}", "a", "b", "\u{7F}", "é", "\u{301}", "語", "\u{FFFF}", "\u{1F600}"]
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...5, using: &self) { scalars.append(alphabet.randomElement(using: &self)!) }
        return String(scalars)
    }

    mutating func double() -> Double {
        let special: [Double] = [0, -0.0, 1, -1, .infinity, -.infinity, .nan, -.nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
        return Bool.random(using: &self) ? special.randomElement(using: &self)! : Double(bitPattern: next())
    }

    mutating func float() -> Float {
        let special: [Float] = [0, -0.0, 1, -1, .infinity, -.infinity, .nan, -.nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
        return Bool.random(using: &self) ? special.randomElement(using: &self)! : Float(bitPattern: UInt32(truncatingIfNeeded: next()))
    }

    mutating func uuid() -> UUID {
        let digits = String(next(), radix: 16) + String(next(), radix: 16)
        let padded = Array(String(repeating: "0", count: 32 - digits.count) + digits)
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(padded[$0]) }
        return UUID(uuidString: groups.joined(separator: "-"))!
    }

    mutating func versionstamp() -> Versionstamp {
        Versionstamp(commit: integer(), batch: integer(), user: integer())
    }

    mutating func element(depth: Int = 0) -> KeyValue {
        switch Int.random(in: 0...(depth < 3 ? 11 : 9), using: &self) {
        case 0: .null
        case 1: .bytes(bytes())
        case 2: .string(string())
        case 3: .integer(integer())
        case 4: .integer(Int128(integer(Int8.self)))
        case 5: .float(float())
        case 6: .double(double())
        case 7: .bool(Bool.random(using: &self))
        case 8: .uuid(uuid())
        case 9: .versionstamp(versionstamp())
        default: .tuple(elements(depth: depth + 1))
        }
    }

    mutating func elements(depth: Int = 0) -> [KeyValue] {
        (0..<Int.random(in: 0...3, using: &self)).map { _ in element(depth: depth) }
    }
}

/// The order of elements as the format's description has it, without a look at bytes.
func precedes(_ left: KeyValue, _ right: KeyValue) -> Bool {
    switch (left, right) {
    case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
    case (.string(let left), .string(let right)): left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
    case (.tuple(let left), .tuple(let right)): precedes(left, right)
    case (.integer(let left), .integer(let right)): left < right
    case (.float(let left), .float(let right)): !right.isTotallyOrdered(belowOrEqualTo: left)
    case (.double(let left), .double(let right)): !right.isTotallyOrdered(belowOrEqualTo: left)
    case (.bool(let left), .bool(let right)): !left && right
    case (.uuid(let left), .uuid(let right)): left.uuidString < right.uuidString
    case (.versionstamp(let left), .versionstamp(let right)): left < right
    default: rank(left) < rank(right)
    }
}

func precedes(_ left: [KeyValue], _ right: [KeyValue]) -> Bool { order(left, right) < 0 }

/// Less than 0, 0 or more than 0. Looks at each element once, however deep the tuples are.
private func order(_ left: [KeyValue], _ right: [KeyValue]) -> Int {
    for (one, other) in zip(left, right) {
        let result =
            if case (.tuple(let one), .tuple(let other)) = (one, other) { order(one, other) } else {
                precedes(one, other) ? -1 : precedes(other, one) ? 1 : 0
            }
        if result != 0 { return result }
    }
    return left.count - right.count
}

private func rank(_ value: KeyValue) -> Int {
    switch value {
    case .null: 0
    case .bytes: 1
    case .string: 2
    case .tuple: 3
    case .integer, .largeInteger: 4
    case .float: 5
    case .double: 6
    case .bool: 7
    case .uuid: 8
    case .versionstamp: 9
    }
}

/// Bytes from hexadecimal digits, two a byte.
func bytes(hex: some StringProtocol) -> [UInt8] {
    let digits = hex.compactMap { $0.hexDigitValue }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// The code of the error that `body` throws; `nil` if it throws none.
func code(of body: () throws(CodecError) -> Void) -> CodecError.Code? {
    do {
        try body()
        return nil
    } catch {
        return error.code
    }
}
