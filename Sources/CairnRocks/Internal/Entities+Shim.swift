import CRocks
import CairnCore

extension ColumnFamilyHandle {
    func lendEntity(for key: RawSpan, options: ReadOptionsHandle, to body: (borrowing Columns) -> Void) throws(RocksError) -> Bool {
        var entity: OpaquePointer?
        var columns: UnsafePointer<crk_column>?
        var count = 0
        let status = unsafe key.withShimBytes { unsafe crk_get_entity(pointer, options.pointer, $0, &entity, &columns, &count) }
        guard status.isOK else {
            if status.code == UInt8(CRK_NOT_FOUND.rawValue) {
                crk_status_free(status)
                return false
            }
            throw status.error(attempt("reading an entity from"), code: nil)
        }
        unsafe body(Columns(start: columns, count: count))
        unsafe crk_entity_release(entity!)
        return true
    }

    func write(_ entity: Entity, key: RawSpan, options: WriteOptions) throws(RocksError) {
        var shimOptions = options.shimOptions
        let status = unsafe key.withShimBytes { key in
            unsafe entity.withShimColumns { unsafe crk_put_entity(pointer, &shimOptions, key, $0, $1) }
        }
        try status.check(attempt("writing an entity to"))
    }
}

extension BatchStorage {
    /// Same as `add(_:family:key:value:attempt:)`.
    @unsafe func add(_ entity: Entity, family: OpaquePointer?, key: RawSpan, attempt: () -> String) {
        let status = unsafe key.withShimBytes { key in
            unsafe entity.withShimColumns { unsafe crk_batch_put_entity(pointer, family, key, $0, $1) }
        }
        if !status.isOK { keep(status.error(attempt(), code: nil)) }
    }
}

extension Entity {
    /// Calls `body` with the columns in the shim's form.
    fileprivate func withShimColumns(_ body: (UnsafePointer<crk_column>?, Int) -> crk_status) -> crk_status {
        // One buffer for all names and values, so that a single pointer serves them all.
        let buffer = columns.flatMap { $0.name + $0.value }
        return unsafe buffer.withUnsafeBytes { bytes in
            var offset = 0
            func lend(_ size: Int) -> crk_bytes {
                defer { offset += size }
                return unsafe crk_bytes(data: bytes.baseAddress.map { unsafe $0 + offset }, size: size)
            }
            let lent = unsafe columns.map { column in
                let name = unsafe lend(column.name.count)
                return unsafe crk_column(name: name, value: lend(column.value.count))
            }
            return unsafe lent.withUnsafeBufferPointer { unsafe body($0.baseAddress, $0.count) }
        }
    }
}
