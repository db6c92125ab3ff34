/// A type that can lend its bytes: what every store accepts as a key or a value.
///
/// `[UInt8]`, `ArraySlice<UInt8>`, `String`, `Substring`, `StaticString`, `Data`, `RawSpan`, `Span<UInt8>` and the raw buffer pointers conform,
/// so call sites pass what they have, and nothing is copied on the way in:
///
/// ```swift
/// try db.put([0xCA, 0xFE], for: "cafe")
/// ```
///
/// Text is lent as UTF-8. An empty span is valid and never means "missing".
///
/// To conform your own type, call `body` exactly once with a span over contiguous memory that does not change until `body` returns.
public protocol ByteSource: ~Escapable {
    /// Calls `body` with the bytes, which are valid until `body` returns; the span cannot escape it.
    ///
    /// - Complexity: O(1) for contiguous storage; O(n) if the bytes must be gathered first (bridged or sliced text).
    func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value
}
