import CRocks

/// Owns one reference to a thread-safe, reference-counted C++ object (a cache, statistics, a comparator...). Options and databases take references of
/// their own.
@safe final class ObjectHandle {
    let pointer: OpaquePointer
    private let release: @Sendable (OpaquePointer) -> Void

    /// `nil` means that creation failed for lack of memory, the only possible reason.
    init(
        _ pointer: OpaquePointer?,
        _ what: @autoclosure () -> String,
        release: @escaping @Sendable (OpaquePointer) -> Void
    ) throws(RocksError) {
        guard let pointer = unsafe pointer else { throw RocksError(.outOfMemory, "not enough memory for \(what())") }
        unsafe self.pointer = pointer
        unsafe self.release = release
    }

    /// Takes ownership of one reference.
    init(owning pointer: OpaquePointer, release: @escaping @Sendable (OpaquePointer) -> Void) {
        unsafe self.pointer = pointer
        unsafe self.release = release
    }

    deinit { unsafe release(pointer) }
}

// The object is thread-safe; the fields never change.
extension ObjectHandle: @unchecked Sendable {}
