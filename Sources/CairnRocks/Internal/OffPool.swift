import CRocks
import Dispatch

/// Runs blocking work on a thread of Dispatch's, so that it does not hold one of the few threads that Swift's tasks share.
func offPool<Value: Sendable>(
    _ body: @escaping @Sendable () throws(RocksError) -> Value
) async -> Result<Value, RocksError> {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
            continuation.resume(returning: Result { () throws(RocksError) in try body() })
        }
    }
}

/// A flag that RocksDB looks at while it works.
@safe final class Cancellation {
    let pointer: OpaquePointer

    init() throws(RocksError) {
        guard let pointer = unsafe crk_cancellation_create() else { throw RocksError(.outOfMemory, "there is no memory for a flag") }
        unsafe self.pointer = pointer
    }

    deinit { unsafe crk_cancellation_free(pointer) }

    func cancel() { unsafe crk_cancellation_cancel(pointer) }
}

// The flag is atomic.
extension Cancellation: @unchecked Sendable {}
