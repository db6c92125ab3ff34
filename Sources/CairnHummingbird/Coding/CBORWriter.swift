#if Hummingbird
/// Writes items of CBOR (RFC 8949), each in its shortest form.
struct CBORWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ item: CBORItem) {
        switch item {
        case .unsigned(let number): head(0, number)
        case .negative(let number): head(1, number)
        case .bytes(let content):
            head(2, UInt64(content.count))
            bytes += content
        case .text(let text):
            var text = text
            text.withUTF8 { utf8 in
                head(3, UInt64(utf8.count))
                unsafe bytes.append(contentsOf: utf8)
            }
        case .bool(let value): bytes.append(value ? 0xF5 : 0xF4)
        case .null: bytes.append(0xF6)
        case .float(let value): fixed(0xFA, value.bitPattern)
        case .double(let value): fixed(0xFB, value.bitPattern)
        case .container(let container): write(container)
        case .encoder(let encoder): write(encoder.item)
        }
    }

    private mutating func write(_ container: CBORContainer) {
        head(container.isMap ? 5 : 4, UInt64(container.items.count))
        for (place, item) in container.items.enumerated() {
            if container.isMap { write(.text(container.keys[place])) }
            write(item)
        }
    }

    private mutating func head(_ major: UInt8, _ argument: UInt64) {
        let first = major << 5
        switch argument {
        case 0..<24: bytes.append(first | UInt8(argument))
        case ...0xFF: fixed(first | 24, UInt8(argument))
        case ...0xFFFF: fixed(first | 25, UInt16(argument))
        case ...0xFFFF_FFFF: fixed(first | 26, UInt32(argument))
        default: fixed(first | 27, argument)
        }
    }

    private mutating func fixed<Number: FixedWidthInteger>(_ first: UInt8, _ number: Number) {
        bytes.append(first)
        for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }
}

/// An item that is yet to be written.
enum CBORItem {
    case unsigned(UInt64)
    /// -1 minus the number.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case bool(Bool)
    case null
    case float(Float)
    case double(Double)
    case container(CBORContainer)
    /// What an encoder that was lent will have encoded.
    case encoder(CBOREncoder)

    init(_ number: some BinaryInteger) {
        self = number < 0 ? .negative(UInt64(clamping: -1 - Int64(clamping: number))) : .unsigned(UInt64(clamping: number))
    }
}

/// An array or a map.
final class CBORContainer {
    let isMap: Bool
    private(set) var items: [CBORItem] = []
    private(set) var keys: [String] = []
    /// Where keys are, once there are many.
    private var places: [String: Int] = [:]

    init(isMap: Bool) { self.isMap = isMap }

    func append(_ item: CBORItem) { items.append(item) }

    /// Sets the item for a key; the last one counts.
    func set(_ item: CBORItem, for key: String) {
        if let place = keys.count <= 16 ? keys.firstIndex(of: key) : places[key] {
            items[place] = item
            return
        }
        if keys.count == 16 { places = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) }) }
        if keys.count >= 16 { places[key] = keys.count }
        keys.append(key)
        items.append(item)
    }
}
#endif
