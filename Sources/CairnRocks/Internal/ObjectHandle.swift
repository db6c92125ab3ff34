import CRocks

/// Owns one reference to a C++ object that is thread-safe and counts its references (a cache, statistics, a comparator...); options and
/// databases take their own.
@safe final class ObjectHandle {
    let pointer: OpaquePointer
    private let release: @Sendable (OpaquePointer) -> Void

    /// `nil` is a creation that failed for want of memory, the only reason it may have.
    init(
        _ pointer: OpaquePointer?,
        _ what: @autoclosure () -> String,
        release: @escaping @Sendable (OpaquePointer) -> Void
    ) throws(RocksError) {
        guard let pointer = unsafe pointer else { throw RocksError(.outOfMemory, "there is no memory for \(what())") }
        unsafe self.pointer = pointer
        unsafe self.release = release
    }

    /// Takes over one reference.
    init(owning pointer: OpaquePointer, release: @escaping @Sendable (OpaquePointer) -> Void) {
        unsafe self.pointer = pointer
        unsafe self.release = release
    }

    deinit { unsafe release(pointer) }
}

// The object is thread-safe; the fields never change.
extension ObjectHandle: @unchecked Sendable {}
