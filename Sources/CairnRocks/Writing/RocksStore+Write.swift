import CRocks
public import CairnCore

extension RocksStore {
    public func write(_ operation: WriteOperation, key: RawSpan, value: RawSpan) throws(RocksError) {
        let family = columnFamily
        // As for reads, handles are not retained.
        defer { extendLifetime(family) }
        try unsafe ColumnFamilyHandle.write(
            operation,
            key: key,
            value: value,
            family: family.handle.pointer,
            options: family.shimWriteOptions
        ) { family.handle.attempt("writing to") }
    }

    /// Same as ``RocksWriter/write(_:key:value:)``, with options for this call.
    public func write(_ operation: WriteOperation, key: RawSpan, value: RawSpan, options: WriteOptions) throws(RocksError) {
        try columnFamily.handle.write(operation, key: key, value: value, options: options)
    }

    /// Same as ``RocksWriter/put(_:for:)``, with options for this call.
    @inlinable
    public func put(
        _ value: some ByteSource & ~Escapable,
        for key: some ByteSource & ~Escapable,
        options: WriteOptions
    ) throws(RocksError) {
        try key.withBytes { (key) throws(RocksError) in
            try value.withBytes { (value) throws(RocksError) in try write(.put, key: key, value: value, options: options) }
        }
    }

    /// Same as ``RocksWriter/merge(_:for:)``, with options for this call.
    @inlinable
    public func merge(
        _ operand: some ByteSource & ~Escapable,
        for key: some ByteSource & ~Escapable,
        options: WriteOptions
    ) throws(RocksError) {
        try key.withBytes { (key) throws(RocksError) in
            try operand.withBytes { (operand) throws(RocksError) in try write(.merge, key: key, value: operand, options: options) }
        }
    }

    /// Same as ``RocksWriter/delete(_:)``, with options for this call.
    @inlinable
    public func delete(_ key: some ByteSource & ~Escapable, options: WriteOptions) throws(RocksError) {
        try key.withBytes { (key) throws(RocksError) in try write(.delete, key: key, value: RawSpan(), options: options) }
    }

    /// Same as ``RocksWriter/singleDelete(_:)``, with options for this call.
    @inlinable
    public func singleDelete(_ key: some ByteSource & ~Escapable, options: WriteOptions) throws(RocksError) {
        try key.withBytes { (key) throws(RocksError) in try write(.singleDelete, key: key, value: RawSpan(), options: options) }
    }

    /// Same as ``RocksWriter/deleteRange(from:to:)``, with options for this call.
    @inlinable
    public func deleteRange(
        from start: some ByteSource & ~Escapable,
        to end: some ByteSource & ~Escapable,
        options: WriteOptions
    ) throws(RocksError) {
        try start.withBytes { (start) throws(RocksError) in
            try end.withBytes { (end) throws(RocksError) in try write(.deleteRange, key: start, value: end, options: options) }
        }
    }
}

extension ColumnFamilyHandle {
    func write(_ operation: WriteOperation, key: RawSpan, value: RawSpan, options: WriteOptions) throws(RocksError) {
        try unsafe Self.write(operation, key: key, value: value, family: pointer, options: options.shimOptions) { attempt("writing to") }
    }

    /// The write itself, on a bare pointer, like `lendValue(for:family:options:to:attempt:)`.
    @unsafe @inline(__always)
    static func write(
        _ operation: WriteOperation,
        key: RawSpan,
        value: RawSpan,
        family: OpaquePointer,
        options: crk_write_options,
        attempt: () -> String
    ) throws(RocksError) {
        let status = unsafe key.withShimBytes { key in
            unsafe value.withShimBytes { value in
                unsafe withUnsafePointer(to: options) { unsafe crk_write(family, $0, operation.shimOperation, key, value) }
            }
        }
        try status.check(attempt())
    }
}

extension WriteOperation {
    var shimOperation: crk_operation {
        switch self {
        case .put: CRK_PUT
        case .merge: CRK_MERGE
        case .delete: CRK_DELETE
        case .singleDelete: CRK_SINGLE_DELETE
        case .deleteRange: CRK_DELETE_RANGE
        }
    }
}
