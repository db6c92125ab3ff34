/// The type of a field: for the store's catalog, and for tools that do not have the program's types.
public indirect enum StoredType: Hashable, Sendable {
    case bool
    /// An integer of 8, 16, 32, 64 or 128 bits. `Int` and `UInt` have 64, whatever the machine.
    case integer(bits: Int, isSigned: Bool)
    case float
    case double
    /// UTF-8.
    case string
    /// `[UInt8]` or `Data`.
    case bytes
    /// Seconds since 2001-01-01 00:00 UTC, as a `Double`.
    case date
    case uuid
    /// The absolute URL, as text.
    case url
    /// A decimal number, as text.
    case decimal
    case optional(StoredType)
    case array(StoredType)
    case set(StoredType)
    case dictionary(StoredType, StoredType)
    /// A `Codable` type with this name, stored as JSON.
    case codable(String)
    /// A type with this name, stored as its raw values.
    case raw(StoredType, of: String)
}
