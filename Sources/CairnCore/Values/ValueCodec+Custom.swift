extension ValueCodec {
    /// Uses two closures, which receive the key first.
    ///
    /// ```swift
    /// let codec = ValueCodec<String, Entry>.custom(
    ///     encode: { key, entry in entry.line },
    ///     decode: { key, bytes in try Entry(line: String(copying: bytes)) }
    /// )
    /// ```
    ///
    /// A ``CodecError`` that a closure throws is passed on unchanged; any other error becomes the cause of one with ``CodecError/Code/failed``.
    ///
    /// - Parameters:
    ///   - encode: Returns the bytes of a value, as `[UInt8]`, `Data`, `String` or any other ``ByteSource``.
    ///   - decode: Creates a value from bytes that are lent for the duration of the call.
    public static func custom<Bytes: ByteSource & SendableMetatype>(
        encode: @escaping @Sendable (Key, Value) throws -> Bytes,
        decode: @escaping @Sendable (Key, RawSpan) throws -> Value
    ) -> ValueCodec {
        ValueCodec(
            lending: { (key, value, body) throws(CodecError) in
                let bytes: Bytes
                do {
                    bytes = try encode(key, value)
                } catch let error as CodecError {
                    throw error
                } catch {
                    throw CodecError(.failed, "the custom encoder failed on a \(Value.self)", userData: "key \(key)", cause: error)
                }
                bytes.withBytes { body($0) }
            },
            decoding: { (key, bytes) throws(CodecError) in
                do {
                    return try decode(key, bytes)
                } catch let error as CodecError {
                    throw error
                } catch {
                    let message = "the custom decoder for \(Value.self) failed on \(bytes.byteCount) bytes"
                    throw CodecError(.failed, message, userData: "key \(key)", cause: error)
                }
            }
        )
    }

    /// Chooses a codec for each key, so that one table can hold several kinds of values.
    ///
    /// ```swift
    /// let codec = ValueCodec<String, String>.choosing { key in
    ///     if key.hasPrefix("text:") { .utf8 } else if key.hasPrefix("json:") { .json } else { nil }
    /// }
    /// ```
    ///
    /// If `choose` returns `nil`, encoding and decoding throw ``CodecError/Code/missingCodec``; the error's user data is the key. `choose` runs
    /// for every value: store the codecs that it returns if creating them is costly, as for ``json``.
    public static func choosing(_ choose: @escaping @Sendable (Key) -> ValueCodec?) -> ValueCodec {
        @Sendable func codec(for key: Key) throws(CodecError) -> ValueCodec {
            guard let codec = choose(key) else {
                let message = "no codec was chosen for this key's \(Value.self); the closure passed to choosing(_:) must return one"
                throw CodecError(.missingCodec, message, userData: "key \(key)")
            }
            return codec
        }
        return ValueCodec(
            lending: { (key, value, body) throws(CodecError) in try codec(for: key).encoder(key, value, body) },
            decoding: { (key, bytes) throws(CodecError) in try codec(for: key).decoder(key, bytes) }
        )
    }

    /// Rejects every value, for tables that are opened before it is known how to read them.
    ///
    /// Encoding and decoding throw ``CodecError/Code/missingCodec``.
    public static var missing: ValueCodec {
        @Sendable func error(_ verb: String, _ key: Key) -> CodecError {
            let message = "no codec is configured to \(verb) \(Value.self); open the table with one, for example codec: .json"
            return CodecError(.missingCodec, message, userData: "key \(key)")
        }
        return ValueCodec(
            lending: { (key, _, _) throws(CodecError) in throw error("encode", key) },
            decoding: { (key, _) throws(CodecError) in throw error("decode", key) }
        )
    }
}
