import CRocks
import CairnCore

/// Owns a C++ WriteBatchWithIndex, and remembers the first error of adding to it.
@safe final class IndexedBatchHandle {
    let pointer: OpaquePointer
    let database: DatabaseHandle
    private(set) var failure: RocksError?
    /// For each save point, whether the batch was sound when it was set.
    private var wasSound: [Bool] = []

    init(database: DatabaseHandle, overwrites: Bool, reserved: ByteCount, limit: ByteCount?) throws(RocksError) {
        var pointer: OpaquePointer?
        let limit = limit.map { Int(clamping: max(1, $0.bytes)) } ?? 0
        try unsafe crk_indexed_batch_create(database.pointer, overwrites, Int(clamping: max(0, reserved.bytes)), limit, &pointer)
            .check("making an indexed batch for '\(database.path)'")
        unsafe self.pointer = pointer!
        self.database = database
    }

    deinit { unsafe crk_indexed_batch_free(pointer) }

    func keep(_ status: crk_status, _ attempt: String) {
        guard !status.isOK else { return }
        let error = status.error(attempt, code: nil)
        if failure == nil { failure = error }
    }

    func clear() {
        unsafe crk_indexed_batch_clear(pointer)
        failure = nil
        wasSound = []
    }

    func setSavePoint() {
        unsafe crk_indexed_batch_set_save_point(pointer)
        wasSound.append(failure == nil)
    }

    func rollbackToSavePoint() throws(RocksError) {
        try unsafe crk_indexed_batch_rollback_to_save_point(pointer).check("rolling back an indexed batch: there is no save point")
        if wasSound.popLast() == true { failure = nil }
    }

    func popSavePoint() throws(RocksError) {
        try unsafe crk_indexed_batch_pop_save_point(pointer).check("forgetting a save point of an indexed batch: there is none")
        _ = wasSound.popLast()
    }
}
