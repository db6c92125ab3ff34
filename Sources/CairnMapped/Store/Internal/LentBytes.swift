import CairnCore

extension String {
    /// Lends the UTF-8 bytes.
    @inline(__always)
    func withLentBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withBytes { span throws(Failure) in
            unsafe try span.withUnsafeBytes { bytes throws(Failure) in unsafe try body(bytes) }
        }
    }
}

extension [UInt8] {
    /// Lends the bytes.
    @inline(__always)
    func withLentBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try span.bytes.withUnsafeBytes { bytes throws(Failure) in unsafe try body(bytes) }
    }
}

extension Unmanaged {
    /// Lends the object without counting a reference; the caller keeps it alive.
    @inline(__always)
    func lending<Result, Failure: Error>(_ body: (Instance) throws(Failure) -> Result) throws(Failure) -> Result {
        let result: Swift.Result<Result, Failure> = unsafe _withUnsafeGuaranteedRef { object in
            do throws(Failure) { return .success(try body(object)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
