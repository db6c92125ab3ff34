/// Something that can lend its bytes: what every store takes as a key or a value.
///
/// `[UInt8]`, `ArraySlice<UInt8>`, `String`, `Substring`, `StaticString`, `Data`, `RawSpan`, `Span<UInt8>` and the raw buffer
/// pointers conform, so a call site passes what it has and nothing is copied on the way in:
///
/// ```swift
/// try db.put([0xCA, 0xFE], for: "cafe")
/// ```
///
/// Text is lent as UTF-8. Zero bytes are a legal answer and never mean "missing".
///
/// To conform a type of your own, call `body` exactly once with a span over contiguous memory that stays unchanged until
/// `body` returns.
public protocol ByteSource: ~Escapable {
    /// Calls `body` with the bytes, which are valid until `body` returns; the span cannot escape it.
    ///
    /// - Complexity: O(1) for contiguous storage; O(n) where the bytes have to be gathered first (bridged or sliced text).
    func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value
}
