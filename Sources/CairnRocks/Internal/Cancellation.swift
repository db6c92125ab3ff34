import CRocks

/// A flag that RocksDB checks while it works.
@safe final class Cancellation {
    let pointer: OpaquePointer

    init() throws(RocksError) {
        guard let pointer = unsafe crk_cancellation_create() else { throw RocksError(.outOfMemory, "not enough memory for a flag") }
        unsafe self.pointer = pointer
    }

    deinit { unsafe crk_cancellation_free(pointer) }

    func cancel() { unsafe crk_cancellation_cancel(pointer) }
}

// The flag is atomic.
extension Cancellation: @unchecked Sendable {}
