import CRocks
import CairnCore

/// Owns a C++ WriteBatchWithIndex and remembers the first error from adding to it.
@safe final class IndexedBatchHandle {
    let pointer: OpaquePointer
    let database: DatabaseHandle
    private(set) var soundness = BatchSoundness()

    init(database: DatabaseHandle, overwrites: Bool, reserved: ByteCount, limit: ByteCount?) throws(RocksError) {
        var pointer: OpaquePointer?
        let limit = limit.map { Int(clamping: max(1, $0.bytes)) } ?? 0
        try unsafe crk_indexed_batch_create(database.pointer, overwrites, Int(clamping: max(0, reserved.bytes)), limit, &pointer)
            .check("making an indexed batch for '\(database.path)'")
        unsafe self.pointer = pointer!
        self.database = database
    }

    deinit { unsafe crk_indexed_batch_free(pointer) }

    @inline(never)
    func keep(_ error: RocksError) { soundness.keep(error) }

    func clear() {
        unsafe crk_indexed_batch_clear(pointer)
        soundness.clear()
    }

    func setSavePoint() {
        unsafe crk_indexed_batch_set_save_point(pointer)
        soundness.setSavePoint()
    }

    func rollbackToSavePoint() throws(RocksError) {
        try unsafe crk_indexed_batch_rollback_to_save_point(pointer).check("rolling back an indexed batch: there is no save point")
        soundness.rollbackToSavePoint()
    }

    func popSavePoint() throws(RocksError) {
        try unsafe crk_indexed_batch_pop_save_point(pointer).check("removing a save point of an indexed batch: there is none")
        soundness.popSavePoint()
    }
}
