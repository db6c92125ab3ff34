/// How the values of a table are encoded and decoded.
///
/// Choose a built-in codec by the name of its format, or provide two closures:
///
/// ```swift
/// let songs = try db.table("songs", key: String.self, value: Song.self, codec: .json)
/// let counts = try db.table("counts", key: String.self, value: Int64.self, codec: .littleEndian)
/// ```
///
/// - ``raw``: bytes, `Data` and text unchanged.
/// - ``utf8``: text.
/// - `littleEndian`, `bigEndian`: numbers of a fixed width.
/// - ``json``, ``propertyList``: `Codable` values, by Foundation's coders.
/// - ``custom(encode:decode:)``: anything; the closures see the key.
/// - ``choosing(_:)``: a codec chosen by the key, so that one table can hold several kinds of values.
/// - ``missing``: refuses everything with a message that says what to configure.
///
/// A codec is immutable and can be used from any thread, so any thread may call its closures. `Key` is the table's key type and may be any type.
public struct ValueCodec<Key, Value>: Sendable {
    @usableFromInline let encoder: @Sendable (Key, Value, (RawSpan) -> Void) throws(CodecError) -> Void
    @usableFromInline let decoder: @Sendable (Key, RawSpan) throws(CodecError) -> Value
    /// How the values are stored; `nil` if only the codec knows.
    @usableFromInline package let type: ValueType?

    /// Creates a codec that lends the bytes of a value instead of returning them, which saves an allocation per value.
    ///
    /// - Parameters:
    ///   - lending: Encodes a value and calls its last argument exactly once with the bytes, or throws without calling it.
    ///   - decoding: Creates a value from bytes that are lent for the duration of the call.
    @inlinable
    public init(
        lending: @escaping @Sendable (Key, Value, (RawSpan) -> Void) throws(CodecError) -> Void,
        decoding: @escaping @Sendable (Key, RawSpan) throws(CodecError) -> Value
    ) {
        self.init(lending: lending, decoding: decoding, type: nil)
    }

    @inlinable
    init(
        lending: @escaping @Sendable (Key, Value, (RawSpan) -> Void) throws(CodecError) -> Void,
        decoding: @escaping @Sendable (Key, RawSpan) throws(CodecError) -> Value,
        type: ValueType?
    ) {
        encoder = lending
        decoder = decoding
        self.type = type
    }

    /// Encodes a value and calls `body` with the bytes, which are valid until it returns.
    ///
    /// Numbers, text and bytes are lent without an allocation. If `body` can fail, return a `Result` from it.
    ///
    /// - Throws: ``CodecError`` if the value cannot be encoded: ``CodecError/Code/failed`` with the coder's error as the cause, or
    ///   ``CodecError/Code/missingCodec``. `body` is then not called.
    @inlinable
    public func withBytes<Result>(of value: Value, for key: Key, _ body: (RawSpan) -> Result) throws(CodecError) -> Result {
        var result: Result?
        try encoder(key, value) { result = body($0) }
        guard let result else {
            throw CodecError(.failed, "the codec for \(Value.self) lent no bytes; a lending closure must call its last argument")
        }
        return result
    }

    /// Encodes a value and appends the bytes to `bytes`, which is unchanged on failure.
    ///
    /// - Throws: ``CodecError`` as ``withBytes(of:for:_:)``.
    @inlinable
    public func encode(_ value: Value, for key: Key, into bytes: inout [UInt8]) throws(CodecError) {
        try encoder(key, value) { span in unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
    }

    /// Encodes a value.
    ///
    /// - Throws: ``CodecError`` as ``withBytes(of:for:_:)``.
    @inlinable
    public func encode(_ value: Value, for key: Key) throws(CodecError) -> [UInt8] {
        try withBytes(of: value, for: key) { [UInt8](copying: $0) }
    }

    /// Creates a value from the bytes stored for `key`. Does not keep a reference to `bytes`.
    ///
    /// - Throws: ``CodecError``, depending on the codec: ``CodecError/Code/truncated`` and ``CodecError/Code/trailingBytes`` for a number of
    ///   another width, ``CodecError/Code/invalidText``, ``CodecError/Code/failed`` with the coder's error as the cause,
    ///   ``CodecError/Code/missingCodec``.
    @inlinable
    public func decode(_ bytes: RawSpan, for key: Key) throws(CodecError) -> Value {
        try decoder(key, bytes)
    }

    /// Creates a value from the bytes stored for `key`.
    @inlinable
    public func decode(_ bytes: some ByteSource & ~Escapable, for key: Key) throws(CodecError) -> Value {
        try bytes.withBytes { (bytes) throws(CodecError) in try decoder(key, bytes) }
    }
}
