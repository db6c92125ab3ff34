import CRocks
import CairnCore

/// Owns a C++ WriteBatch and remembers the first error from adding to it.
@safe final class BatchStorage {
    let pointer: OpaquePointer
    private(set) var soundness = BatchSoundness()

    init(reserved: ByteCount, limit: ByteCount?) {
        let limit = Int(clamping: max(0, limit?.bytes ?? 0))
        // Memory that cannot be reserved is allocated as needed. Without memory for an empty batch, no error could be reported either.
        unsafe pointer = crk_batch_create(Int(clamping: max(0, reserved.bytes)), limit) ?? crk_batch_create(0, limit)!
    }

    init(data: some ByteSource & ~Escapable) throws(RocksError) {
        var batch: OpaquePointer?
        let status = data.withBytes { bytes in unsafe bytes.withShimBytes { unsafe crk_batch_from_data($0, &batch) } }
        try status.check("reading a serialised batch")
        unsafe pointer = batch!
    }

    deinit { unsafe crk_batch_free(pointer) }

    /// The caller keeps the owner of `family` alive.
    @unsafe @inline(__always)
    func add(_ operation: WriteOperation, family: OpaquePointer?, key: RawSpan, value: RawSpan, time: UInt64?, attempt: () -> String) {
        let status = unsafe key.withShimBytes { key in
            unsafe value.withShimBytes { value in
                guard let time, let family = unsafe family else {
                    return unsafe crk_batch_add(pointer, family, operation.shimOperation, key, value)
                }
                return unsafe crk_batch_add_at(pointer, family, operation.shimOperation, key, value, time)
            }
        }
        if !status.isOK { keep(status.error(attempt(), code: nil)) }
    }

    func putLogData(_ blob: some ByteSource & ~Escapable) {
        let status = blob.withBytes { blob in unsafe blob.withShimBytes { unsafe crk_batch_put_log_data(pointer, $0) } }
        if !status.isOK { keep(status.error("adding log data to a batch", code: nil)) }
    }

    @inline(never)
    func keep(_ error: RocksError) { soundness.keep(error) }

    var count: Int { Int(unsafe crk_batch_count(pointer)) }
    var dataSize: Int { unsafe crk_batch_data(pointer).size }
    var data: [UInt8] { unsafe [UInt8](copying: crk_batch_data(pointer).span) }

    func readRecords(_ context: UnsafeMutableRawPointer, _ each: crk_record_sink) -> crk_status {
        unsafe crk_batch_records(pointer, context, each)
    }

    func clear() {
        unsafe crk_batch_clear(pointer)
        soundness.clear()
    }

    func setSavePoint() {
        unsafe crk_batch_set_save_point(pointer)
        soundness.setSavePoint()
    }

    func rollbackToSavePoint() throws(RocksError) {
        try unsafe crk_batch_rollback_to_save_point(pointer).check("rolling back a batch: there is no save point")
        soundness.rollbackToSavePoint()
    }

    func popSavePoint() throws(RocksError) {
        try unsafe crk_batch_pop_save_point(pointer).check("removing a save point of a batch: there is none")
        soundness.popSavePoint()
    }

    func write(to database: DatabaseHandle, options: WriteOptions) throws(RocksError) {
        var shimOptions = options.shimOptions
        try unsafe crk_batch_write(database.pointer, &shimOptions, pointer).check("writing a batch to '\(database.path)'")
    }
}
