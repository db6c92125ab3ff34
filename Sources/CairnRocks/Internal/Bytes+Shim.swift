import CRocks
import CairnCore

extension RawSpan {
    /// Lends the bytes to the shim for the length of `body`.
    @inline(__always)
    func withShimBytes<Value, Failure: Error>(_ body: (crk_bytes) throws(Failure) -> Value) throws(Failure) -> Value {
        try unsafe withUnsafeBytes { (bytes) throws(Failure) in
            try unsafe body(crk_bytes(data: bytes.baseAddress, size: bytes.count))
        }
    }
}

extension crk_bytes {
    /// Lends bytes of the shim to `body`. The caller knows that they stay valid meanwhile.
    @unsafe @inline(__always)
    func lend<Value>(to body: (RawSpan) -> Value) -> Value {
        body(unsafe span)
    }

    /// The bytes as a span whose lifetime the caller must tie to their owner.
    @unsafe var span: RawSpan {
        @_lifetime(immortal) get {
            // From a buffer, which may lack an address: no branch.
            unsafe _overrideLifetime(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: data, count: size)), copying: ())
        }
    }

    /// A copy as text; what is not UTF-8 is replaced (names and messages of RocksDB, never user data).
    @unsafe var text: String {
        unsafe String(decoding: UnsafeRawBufferPointer(start: data, count: size), as: UTF8.self)
    }
}

extension RawSpan {
    /// Negative where these bytes come first, unsigned and byte by byte; zero where they are the same.
    func bytewiseOrder(_ other: RawSpan) -> Int {
        unsafe withUnsafeBytes { mine in
            unsafe other.withUnsafeBytes { others in
                if unsafe mine.lexicographicallyPrecedes(others) { return -1 }
                return unsafe mine.elementsEqual(others) ? 0 : 1
            }
        }
    }
}
