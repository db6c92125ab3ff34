/// How the keys of a table are encoded and decoded.
///
/// - ``ordered``: the keys' own order, by ``KeyCodable``; the default of typed tables.
/// - ``raw``: bytes, `Data` and text unchanged, to share a table with programs that do not use Cairn.
/// - ``custom(encode:decode:)``: anything.
///
/// A codec is immutable and can be used from any thread, so any thread may call its closures.
public struct KeyCodec<Key>: Sendable {
    @usableFromInline let encoder: @Sendable (Key, (RawSpan) -> Void) throws(CodecError) -> Void
    @usableFromInline let decoder: @Sendable (RawSpan) throws(CodecError) -> Key
    /// The keys' type, if it says how they are stored.
    @usableFromInline let described: (any (KeyCodable & SendableMetatype).Type)?

    /// Creates a codec that lends the bytes of a key instead of returning them.
    ///
    /// - Parameters:
    ///   - lending: Encodes a key and calls its last argument exactly once with the bytes, or throws without calling it.
    ///   - decoding: Creates a key from bytes that are lent for the duration of the call.
    @inlinable
    public init(
        lending: @escaping @Sendable (Key, (RawSpan) -> Void) throws(CodecError) -> Void,
        decoding: @escaping @Sendable (RawSpan) throws(CodecError) -> Key
    ) {
        self.init(lending: lending, decoding: decoding, described: nil)
    }

    @inlinable
    init(
        lending: @escaping @Sendable (Key, (RawSpan) -> Void) throws(CodecError) -> Void,
        decoding: @escaping @Sendable (RawSpan) throws(CodecError) -> Key,
        described: (any (KeyCodable & SendableMetatype).Type)?
    ) {
        encoder = lending
        decoder = decoding
        self.described = described
    }

    /// The types of the elements of the keys, as in `string,int?`; `nil` if they are not known.
    package var elementNames: String? { described?.keyType?.elementNames }

    /// Encodes `key` and calls `body` with the bytes, which are valid until it returns.
    ///
    /// - Throws: ``CodecError`` if the key cannot be encoded. `body` is then not called.
    @inlinable
    public func withBytes<Result>(of key: Key, _ body: (RawSpan) -> Result) throws(CodecError) -> Result {
        var result: Result?
        try encoder(key) { result = body($0) }
        guard let result else {
            throw CodecError(.failed, "the codec for keys of type \(Key.self) lent no bytes; a lending closure must call its last argument")
        }
        return result
    }

    /// Encodes `key`.
    @inlinable
    public func encode(_ key: Key) throws(CodecError) -> [UInt8] {
        try withBytes(of: key) { [UInt8](copying: $0) }
    }

    /// Creates a key from stored bytes. Does not keep a reference to `bytes`.
    ///
    /// - Throws: ``CodecError`` if the bytes are not such a key.
    @inlinable
    public func decode(_ bytes: RawSpan) throws(CodecError) -> Key { try decoder(bytes) }
}

extension KeyCodec where Key: KeyCodable & SendableMetatype {
    /// Encodes keys as bytes that sort as the keys do: ``KeyCodable/keyBytes``.
    @inlinable
    public static var ordered: KeyCodec {
        KeyCodec(
            lending: { key, body in key.keyBytes.withBytes(body) },
            decoding: { (bytes) throws(CodecError) in try Key(keyBytes: bytes) },
            described: Key.self
        )
    }
}

extension KeyCodec where Key: ByteSource & ByteResult & SendableMetatype {
    /// Stores the bytes unchanged; text as UTF-8.
    @inlinable
    public static var raw: KeyCodec {
        KeyCodec(
            lending: { key, body in key.withBytes(body) },
            decoding: { (bytes) throws(CodecError) in try Key(copying: bytes) }
        )
    }
}

extension KeyCodec {
    /// Uses two closures of your own.
    ///
    /// A ``CodecError`` that a closure throws is passed on unchanged; any other error becomes the cause of one with ``CodecError/Code/failed``.
    public static func custom<Bytes: ByteSource & SendableMetatype>(
        encode: @escaping @Sendable (Key) throws -> Bytes,
        decode: @escaping @Sendable (RawSpan) throws -> Key
    ) -> KeyCodec {
        KeyCodec(
            lending: { (key, body) throws(CodecError) in
                let bytes: Bytes
                do {
                    bytes = try encode(key)
                } catch let error as CodecError {
                    throw error
                } catch {
                    throw CodecError(
                        .failed,
                        "the custom encoder failed on a key of type \(Key.self)",
                        userData: "key \(key)",
                        cause: error
                    )
                }
                bytes.withBytes(body)
            },
            decoding: { (bytes) throws(CodecError) in
                do {
                    return try decode(bytes)
                } catch let error as CodecError {
                    throw error.about(key: bytes)
                } catch {
                    let message = "the custom decoder for keys of type \(Key.self) failed on \(bytes.byteCount) bytes"
                    throw CodecError(.failed, message, cause: error).about(key: bytes)
                }
            }
        )
    }
}
