/// What a value was written as by a library that does not keep types: MMKV or Goose.
///
/// The names are those of ``MappedValueType``, where there is one, and the value becomes one of that type.
public enum MappedForeignType: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// `Bool`.
    case bool
    /// Signed integers of any width.
    case int
    /// Unsigned integers of any width: needed only where the highest bit is set, which ``int`` takes for a minus sign.
    case unsigned
    /// `Float`.
    case float
    /// `Double`, `CGFloat`.
    case double
    /// `NSDate` (MMKV: seconds since 1970), `Date` (Goose, by way of `Codable`).
    case date
    /// `String`, `NSString`.
    case string
    /// `Data`, `NSData`, byte buffers. In MMKV, vectors of numbers too.
    case bytes
    /// A list of strings: `vector<string>`, `Set<String>` (MMKV), `[String]` (Goose).
    case strings
    /// JSON: for MMKV, kept as a string; for Goose, what any `Codable` value became.
    case json
    /// A URL, kept as a string.
    case url
    /// A UUID, kept as a string; for Goose also as its 16 bytes.
    case uuid
    /// All bytes of the value as they are, without a length in front: objects that MMKV put through `NSKeyedArchiver`, structures of Goose.
    case raw

    /// The name of the case.
    public var description: String { rawValue }
}
