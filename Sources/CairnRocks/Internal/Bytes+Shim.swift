import CRocks
import CairnCore

extension RawSpan {
    /// Lends the bytes to the shim for the duration of `body`.
    @inline(__always)
    func withShimBytes<Value, Failure: Error>(_ body: (crk_bytes) throws(Failure) -> Value) throws(Failure) -> Value {
        try unsafe withUnsafeBytes { (bytes) throws(Failure) in
            try unsafe body(crk_bytes(data: bytes.baseAddress, size: bytes.count))
        }
    }
}

extension crk_bytes {
    /// Lends the shim's bytes to `body`. The caller keeps them valid until `body` returns.
    @unsafe @inline(__always)
    func lend<Value>(to body: (RawSpan) -> Value) -> Value {
        body(unsafe span)
    }

    /// The bytes as a span whose lifetime the caller must tie to their owner.
    @unsafe var span: RawSpan {
        @_lifetime(immortal) get {
            // A buffer's address may be nil, so this needs no branch.
            unsafe _overrideLifetime(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: data, count: size)), copying: ())
        }
    }

    /// A copy as text, with invalid UTF-8 replaced (names and messages of RocksDB, never user data).
    @unsafe var text: String {
        unsafe String(decoding: UnsafeRawBufferPointer(start: data, count: size), as: UTF8.self)
    }
}

extension RawSpan {
    /// Returns a negative number if these bytes sort first, compared byte by byte as unsigned; zero if they are equal.
    func bytewiseOrder(_ other: RawSpan) -> Int {
        unsafe withUnsafeBytes { mine in
            unsafe other.withUnsafeBytes { others in
                if unsafe mine.lexicographicallyPrecedes(others) { return -1 }
                return unsafe mine.elementsEqual(others) ? 0 : 1
            }
        }
    }
}
