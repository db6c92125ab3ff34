/// Reads the elements of one key from bytes lent by a store, without first copying the key.
///
/// ```swift
/// var decoder = KeyDecoder(bytes)
/// let user = try decoder.decode(String.self)
/// let number = try decoder.decode(Int.self)
/// try decoder.finish()
/// ```
///
/// Any bytes are safe to read: anything that is not a key results in a ``CodecError``, never a trap. ``KeyEncoder`` describes the format. Only
/// the shortest form of an integer is accepted, so no two keys decode to the same value, with one exception: for ±(2⁶⁴ - 1), writers of the
/// format in other languages differ, and both of their forms are accepted.
///
/// After an error, the decoder's position is unspecified.
public struct KeyDecoder: ~Escapable {
    /// The maximum depth of nested tuples. Deeper keys are rejected, so that no key can exhaust the stack.
    public static var maximumDepth: Int { 64 }

    let bytes: RawSpan
    /// Where the next element starts.
    var offset = 0
    /// The number of open nested tuples.
    private var depth = 0
    /// The number of bytes read so far.
    package var position: Int { offset }

    /// Creates a decoder at the first element of a key.
    @_lifetime(copy bytes)
    public init(_ bytes: RawSpan) {
        self.bytes = bytes
    }

    /// Decodes the next element as a value of the given type.
    ///
    /// - Throws: ``CodecError`` with one of these codes:
    ///   - ``CodecError/Code/typeMismatch``: the element is of another type.
    ///   - ``CodecError/Code/outOfRange``: a number or raw value that the type cannot hold.
    ///   - ``CodecError/Code/truncated``: the key, or the nested tuple, ends before the element does.
    ///   - ``CodecError/Code/invalidText``: a string that is not UTF-8.
    ///   - ``CodecError/Code/malformed``: bytes that no encoder writes.
    @inlinable
    public mutating func decode<Value: KeyCodable>(_ type: Value.Type = Value.self) throws(CodecError) -> Value {
        try Value(decoding: &self)
    }

    /// Whether the key, or the open nested tuple, has no more elements.
    public var isAtEnd: Bool {
        offset >= bytes.byteCount || isAtTerminator
    }

    /// Reads the next element if it is a null, and returns whether it was.
    public mutating func decodeNull() -> Bool {
        guard !isAtEnd, byte(at: offset) == KeyTypeCode.null else { return false }
        offset += depth > 0 ? 2 : 1
        return true
    }

    /// Enters the nested tuple that is the next element; ``endTuple()`` leaves it.
    ///
    /// - Throws: ``CodecError``: `typeMismatch` if the element is not a tuple, `malformed` if tuples are nested deeper than ``maximumDepth``.
    public mutating func beginTuple() throws(CodecError) {
        try take(code: KeyTypeCode.tuple)
        guard depth < Self.maximumDepth else {
            throw CodecError(.malformed, "the tuples in the key are nested more than \(Self.maximumDepth) deep")
        }
        depth += 1
    }

    /// Leaves the nested tuple, all of whose elements must have been read.
    ///
    /// - Throws: ``CodecError``: `trailingBytes` if elements are left, `truncated` if the key ends within the tuple.
    public mutating func endTuple() throws(CodecError) {
        precondition(depth > 0, "KeyDecoder.endTuple() without beginTuple()")
        guard offset < bytes.byteCount else { throw truncated() }
        guard isAtTerminator else {
            throw CodecError(.trailingBytes, "the nested tuple has more elements than expected, starting at byte \(offset)")
        }
        offset += 1
        depth -= 1
    }

    /// Checks that the whole key has been read.
    ///
    /// - Throws: ``CodecError`` with ``CodecError/Code/trailingBytes`` if bytes are left.
    public func finish() throws(CodecError) {
        guard offset == bytes.byteCount else {
            throw CodecError(.trailingBytes, "\(bytes.byteCount - offset) bytes follow the key, starting at byte \(offset)")
        }
    }
}

extension KeyDecoder {
    /// Returns the type code of the next element.
    func peekCode() throws(CodecError) -> UInt8 {
        guard !isAtEnd else { throw truncated() }
        return byte(at: offset)
    }

    /// Reads a type code, which must be the given one.
    mutating func take(code: UInt8) throws(CodecError) {
        let found = try peekCode()
        guard found == code else { throw unexpected(found, insteadOf: KeyTypeCode.name(code) ?? "") }
        offset += 1
    }

    /// In a nested tuple: whether the zero byte that ends it comes next. A zero byte before `FF` is a null instead.
    private var isAtTerminator: Bool {
        guard depth > 0, offset < bytes.byteCount, byte(at: offset) == 0 else { return false }
        return offset + 1 == bytes.byteCount || byte(at: offset + 1) != KeyTypeCode.escape
    }

    func unexpected(_ found: UInt8, insteadOf wanted: String) -> CodecError {
        guard let name = KeyTypeCode.name(found) else {
            return CodecError(.malformed, "byte \(offset) of the key is not a type code; was the key written with another encoding?")
        }
        return CodecError(.typeMismatch, "the key holds \(name) at byte \(offset) where \(wanted) was expected")
    }

    func truncated() -> CodecError {
        CodecError(.truncated, "the key, or a nested tuple in it, ends within the value at byte \(offset)")
    }
}
