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

/// Collects pairs that the shim hands to a sink.
final class PairCollector {
    var pairs: [(name: String, value: String)] = []

    /// Runs `body` with a context and a sink that fill `pairs`.
    static func collect(_ body: (UnsafeMutableRawPointer, crk_pair_sink) -> crk_status) -> (status: crk_status, pairs: [String: String]) {
        let collector = PairCollector()
        let context = unsafe Unmanaged.passUnretained(collector).toOpaque()
        let status = unsafe body(context) { context, name, value in
            let collector = unsafe Unmanaged<PairCollector>.fromOpaque(context).takeUnretainedValue()
            unsafe collector.pairs.append((name.text, value.text))
        }
        return withExtendedLifetime(collector) {
            (status, Dictionary(collector.pairs.map { ($0.name, $0.value) }) { _, last in last })
        }
    }
}
