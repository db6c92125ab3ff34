package import CairnCore
import CairnToolKit

extension ValueType {
    package var isNumber: Bool {
        switch self {
        case .text, .bytes, .json, .propertyList: false
        case .integer, .float, .double: true
        }
    }

    /// A number as text; `nil` if this is not a type of numbers, or the value does not have its width.
    package func number(_ value: [UInt8]) -> String? {
        switch self {
        case .text, .bytes, .json, .propertyList: return nil
        case .float(let order):
            guard let bits = bits(value, 32, order) else { return nil }
            return "\(Float(bitPattern: UInt32(bits)))"
        case .double(let order):
            guard let bits = bits(value, 64, order) else { return nil }
            return "\(Double(bitPattern: UInt64(bits)))"
        case .integer(let width, let isSigned, let order):
            guard let bits = bits(value, width, order) else { return nil }
            return isSigned ? "\(Int128(truncatingIfNeeded: bits << (128 - width)) >> (128 - width))" : "\(bits)"
        }
    }

    /// The value that a text stands for; `nil` if it is not one of this type.
    package func bytes(_ text: [UInt8]) -> [UInt8]? {
        switch self {
        case .bytes: text
        case .text: isValidUTF8(text) ? text : nil
        case .json: isJSON(text) ? text : nil
        case .propertyList: text.starts(with: "bplist00".utf8) ? text : nil
        case .float, .double, .integer: bytes(ofNumber: String(decoding: text, as: UTF8.self))
        }
    }

    private func bytes(ofNumber text: String) -> [UInt8]? {
        switch self {
        case .text, .bytes, .json, .propertyList: nil
        case .float(let order): (NumberText.number(text) as Float?).map { bytes(UInt128($0.bitPattern), 32, order) }
        case .double(let order): (NumberText.number(text) as Double?).map { bytes(UInt128($0.bitPattern), 64, order) }
        case .integer(let width, true, let order):
            Int128(text).flatMap { number in
                (number << (128 - width)) >> (128 - width) == number ? bytes(UInt128(truncatingIfNeeded: number), width, order) : nil
            }
        case .integer(let width, false, let order):
            UInt128(text).flatMap { number in
                (number << (128 - width)) >> (128 - width) == number ? bytes(number, width, order) : nil
            }
        }
    }

    /// Whether the value is JSON.
    package func isJSON(_ value: [UInt8]) -> Bool {
        guard isValidUTF8(value) else { return false }
        do { try JSONScanner.check(value) } catch { return false }
        return true
    }

    private func bits(_ value: [UInt8], _ width: Int, _ order: ByteOrder) -> UInt128? {
        guard value.count * 8 == width else { return nil }
        return (order == .littleEndian ? value.reversed() : value).reduce(0) { $0 << 8 | UInt128($1) }
    }

    private func bytes(_ bits: UInt128, _ width: Int, _ order: ByteOrder) -> [UInt8] {
        let bytes = (0..<width / 8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
        return order == .littleEndian ? bytes : bytes.reversed()
    }
}
