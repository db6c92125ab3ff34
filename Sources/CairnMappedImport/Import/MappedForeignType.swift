/// The type that a value was written as by a library that does not store types: MMKV or Goose.
///
/// The names match those of `MappedValueType` where there is one, and the value becomes one of that type.
public enum MappedForeignType: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// `Bool`.
    case bool
    /// Signed integers of any width.
    case int
    /// Unsigned integers of any width: needed only if the highest bit is set, which ``int`` interprets as a minus sign.
    case unsigned
    /// `Float`.
    case float
    /// `Double`, `CGFloat`.
    case double
    /// `NSDate` (MMKV: seconds since 1970), `Date` (Goose, through `Codable`).
    case date
    /// `String`, `NSString`.
    case string
    /// `Data`, `NSData`, byte buffers. In MMKV, vectors of numbers too.
    case bytes
    /// A list of strings: `vector<string>`, `Set<String>` (MMKV), `[String]` (Goose).
    case strings
    /// JSON: for MMKV, stored as a string; for Goose, the form of any `Codable` value.
    case json
    /// A URL, stored as a string.
    case url
    /// A UUID, stored as a string; for Goose also as its 16 bytes.
    case uuid
    /// All bytes of the value unchanged, without a length prefix: objects that MMKV encoded with `NSKeyedArchiver`, structures of Goose.
    case raw

    /// The name of the case.
    public var description: String { rawValue }
}
