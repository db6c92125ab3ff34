/// A set of options that is the value of a single RocksDB option.
///
/// ```swift
/// options.compressionOptions.level = 19
/// options.compressionOptions["level"] = "19"
/// ```
///
/// Two values are equal if all their options are equal.
public protocol NestedOptions: NamedOptions, OptionValue, Hashable {
    /// The library's defaults.
    init()
}

extension NestedOptions {
    /// Reads RocksDB's form, `a=1;b=2`, with or without braces.
    public init?(optionText: String) {
        let settings = parseOptionText(optionText.withoutBraces)
        guard !settings.isEmpty else { return nil }
        self.init()
        self.settings = settings
    }

    /// All options with their values, since RocksDB does not accept an empty list.
    public var optionText: String {
        let all = Self.defaults.merging(settings) { $1 }
        return "{" + all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ";") + "}"
    }

    public static var whenAbsent: Self { Self() }

    public static func == (first: Self, second: Self) -> Bool { first.optionText == second.optionText }
    public func hash(into hasher: inout Hasher) { hasher.combine(optionText) }
}

/// One of RocksDB's objects, chosen by its name and possibly settings: `SkipListFactory`, `{id=VectorRepFactory;count=9}`.
public protocol OptionObject: OptionChoice {}

extension OptionObject {
    /// The canonical form of an object, however RocksDB or a user wrote it: the bare name, or name and sorted settings in braces.
    static func canonical(_ text: String) -> String {
        guard text.contains(";") || text.hasPrefix("{") else { return text }
        var settings = parseOptionText(text.withoutBraces)
        guard let name = settings.removeValue(forKey: "id") else { return text }
        guard !settings.isEmpty else { return name }
        return "{id=\(name);" + settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ";") + "}"
    }
}

extension String {
    /// The text without one pair of braces around it.
    var withoutBraces: String {
        guard hasPrefix("{"), hasSuffix("}") else { return self }
        return String(dropFirst().dropLast())
    }
}
