public import CairnCore

/// A type of option values, which reads and writes RocksDB's option text.
public protocol OptionValue: Sendable {
    /// Reads RocksDB's text; returns `nil` if it is not a value of this type.
    init?(optionText: String)
    /// The value in RocksDB's text form.
    var optionText: String { get }
    /// The value of a typed property if the installed library does not have the option at all.
    static var whenAbsent: Self { get }
}

extension Bool: OptionValue {
    public init?(optionText: String) {
        switch optionText {
        case "true", "1": self = true
        case "false", "0": self = false
        default: return nil
        }
    }
    public var optionText: String { self ? "true" : "false" }
    public static var whenAbsent: Bool { false }
}

extension OptionValue where Self: FixedWidthInteger {
    /// Reads a whole number, optionally with RocksDB's suffixes `K`, `M`, `G` and `T`. A number out of the type's range reads as the nearest
    /// value.
    public init?(optionText: String) {
        guard let number = wholeNumber(optionText) else { return nil }
        self.init(clamping: number)
    }
    public var optionText: String { String(self) }
    public static var whenAbsent: Self { 0 }
}
extension Int: OptionValue {}
extension UInt64: OptionValue {}

extension Double: OptionValue {
    public init?(optionText: String) { self.init(optionText) }
    public var optionText: String { String(self) }
    public static var whenAbsent: Double { 0 }
}

extension String: OptionValue {
    public init?(optionText: String) { self = optionText }
    public var optionText: String { self }
    public static var whenAbsent: String { "" }
}

extension ByteCount: OptionValue {
    public init?(optionText: String) {
        guard let bytes = Int(optionText: optionText) else { return nil }
        self.init(bytes: Int64(bytes))
    }
    public var optionText: String { String(bytes) }
    public static var whenAbsent: ByteCount { .zero }
}

/// A value for each level, separated by colons.
extension Array: OptionValue where Element: OptionValue {
    public init?(optionText: String) {
        self = []
        for part in optionText.split(separator: ":") {
            guard let element = Element(optionText: String(part)) else { return nil }
            append(element)
        }
    }
    public var optionText: String { map(\.optionText).joined(separator: ":") }
    public static var whenAbsent: [Element] { [] }
}

/// A choice among RocksDB's named constants. The set is open: use ``init(rawValue:)`` for any other constant.
public protocol OptionChoice: OptionValue, RawRepresentable, Hashable, CustomStringConvertible where RawValue == String {
    init(rawValue: String)
}

extension OptionChoice {
    public init?(optionText: String) { self.init(rawValue: optionText) }
    public var optionText: String { rawValue }
    public static var whenAbsent: Self { Self(rawValue: "") }
    public var description: String { rawValue }
}
