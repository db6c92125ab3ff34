/// What a built-in codec stores, for tools that read values without the program's types.
@usableFromInline
package enum ValueType: Hashable, Sendable {
    case text, bytes, json, propertyList
    case integer(bits: Int, isSigned: Bool, ByteOrder)
    case float(ByteOrder)
    case double(ByteOrder)
}

extension ValueType: CustomStringConvertible {
    /// The types that a name stands for: integers of up to 128 bits, as `int64`, `uint8`; a name that ends with `be` is big-endian.
    package init?(_ name: String) {
        let number = name.hasSuffix("be") ? String(name.dropLast(2)) : name
        let order: ByteOrder = number == name ? .littleEndian : .bigEndian
        switch number {
        case "text" where order == .littleEndian: self = .text
        case "bytes" where order == .littleEndian: self = .bytes
        case "json" where order == .littleEndian: self = .json
        case "plist" where order == .littleEndian: self = .propertyList
        case "float": self = .float(order)
        case "double": self = .double(order)
        default:
            let isSigned = !number.hasPrefix("u")
            guard let bits = [8, 16, 32, 64, 128].first(where: { number == (isSigned ? "int\($0)" : "uint\($0)") }) else { return nil }
            self = .integer(bits: bits, isSigned: isSigned, order)
        }
    }

    @usableFromInline package var description: String {
        switch self {
        case .text: "text"
        case .bytes: "bytes"
        case .json: "json"
        case .propertyList: "plist"
        case .integer(let bits, let isSigned, let order): "\(isSigned ? "int" : "uint")\(bits)\(order.suffix)"
        case .float(let order): "float\(order.suffix)"
        case .double(let order): "double\(order.suffix)"
        }
    }
}

extension ByteOrder {
    fileprivate var suffix: String { self == .littleEndian ? "" : "be" }
}
