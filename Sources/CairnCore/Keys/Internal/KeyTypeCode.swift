/// The first byte of every element: the type codes of the FoundationDB tuple layer, in the order in which types sort.
enum KeyTypeCode {
    static let null: UInt8 = 0x00
    static let bytes: UInt8 = 0x01
    static let string: UInt8 = 0x02
    static let tuple: UInt8 = 0x05
    /// Negative integers of more than 8 bytes: a complemented length byte, then the complemented magnitude.
    static let largeNegative: UInt8 = 0x0B
    /// Integers of n bytes are n codes below (negative) or above (positive) zero.
    static let zero: UInt8 = 0x14
    /// Positive integers of more than 8 bytes: a length byte, then the magnitude.
    static let largePositive: UInt8 = 0x1D
    static let float: UInt8 = 0x20
    static let double: UInt8 = 0x21
    static let `false`: UInt8 = 0x26
    static let `true`: UInt8 = 0x27
    static let uuid: UInt8 = 0x30
    static let versionstamp: UInt8 = 0x33
    /// After a zero byte: the zero byte is content. Never a type code, so it also bounds the keys that start with an element.
    static let escape: UInt8 = 0xFF

    /// Describes what a code means; `nil` for codes that no element starts with.
    static func name(_ code: UInt8) -> String? {
        switch code {
        case null: "null"
        case bytes: "a byte string"
        case string: "a string"
        case tuple: "a nested tuple"
        case largeNegative...largePositive: "an integer"
        case float: "a float"
        case double: "a double"
        case `false`, `true`: "a bool"
        case uuid: "a UUID"
        case versionstamp: "a versionstamp"
        default: nil
        }
    }
}
