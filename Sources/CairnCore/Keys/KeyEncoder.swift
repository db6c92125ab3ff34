/// Encodes one key, element by element.
///
/// Reusing an encoder saves an allocation per key:
///
/// ```swift
/// var encoder = KeyEncoder()
/// for id in ids {
///     encoder.removeAll()
///     encoder.encode(id)
///     try db.put(value, for: encoder.bytes)
/// }
/// ```
///
/// ## Format
/// The FoundationDB tuple layer. Every element is a type code and a self-delimiting payload:
///
/// | element | bytes |
/// | --- | --- |
/// | null | `00`; within a nested tuple `00 FF` |
/// | byte string | `01`, content with `00` escaped as `00 FF`, `00` |
/// | string | `02`, UTF-8 escaped the same way, `00` |
/// | nested tuple | `05`, elements, `00` |
/// | integer of n ≤ 8 bytes | `14` + n for positive, `14` - n for negative; n big-endian bytes, complemented for negative |
/// | longer integer | `1D` n, or `0B` and the complement of n; n big-endian bytes, complemented for negative |
/// | float, double | `20`, `21`; big-endian IEEE 754, all bits flipped for negative, the sign bit flipped for positive |
/// | bool | `26` for false, `27` for true |
/// | UUID | `30`, 16 bytes |
/// | versionstamp | `33`, 12 bytes |
///
/// The integers ±(2⁶⁴ - 1) use the longer form with n = 8, as the format's reference implementation in Python writes them.
public struct KeyEncoder: Sendable {
    /// The bytes encoded so far.
    public internal(set) var bytes: [UInt8] = []
    /// The number of open nested tuples.
    private var depth = 0

    /// Creates an encoder with room for `capacity` bytes before it allocates again.
    public init(capacity: Int = 0) {
        if capacity > 0 { bytes.reserveCapacity(capacity) }
    }

    /// Removes what has been encoded and keeps the memory for the next key.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        depth = 0
    }

    /// Appends a value as one element.
    @inlinable
    public mutating func encode<Value: KeyCodable>(_ value: Value) {
        value.encode(into: &self)
    }

    /// Appends a null, which sorts before every other element.
    public mutating func encodeNull() {
        bytes.append(KeyTypeCode.null)
        if depth > 0 { bytes.append(KeyTypeCode.escape) }
    }

    /// Appends elements that are encoded already.
    package mutating func append(encoded elements: [UInt8]) { bytes += elements }

    /// Opens a nested tuple: everything encoded until ``endTuple()`` becomes its elements.
    public mutating func beginTuple() {
        bytes.append(KeyTypeCode.tuple)
        depth += 1
    }

    /// Closes the nested tuple that ``beginTuple()`` opened. Traps if none is open.
    public mutating func endTuple() {
        precondition(depth > 0, "KeyEncoder.endTuple() without beginTuple()")
        bytes.append(0)
        depth -= 1
    }
}
