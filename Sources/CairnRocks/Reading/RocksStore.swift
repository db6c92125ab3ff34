import CRocks
public import CairnCore

/// A store to read from and write to, with options for each call: a database (its default column family) or a column family.
public protocol RocksStore: RocksReader, RocksWriter, Sendable {
    /// The column family that the methods use.
    var columnFamily: ColumnFamily { get }
}

extension RocksStore {
    public func lendValue(for key: RawSpan, options: ReadOptions?, to body: (RawSpan) -> Void) throws(RocksError) -> Bool {
        let family = columnFamily
        guard let options else { return try family.lendValue(for: key, to: body) }
        return try family.handle.lendValue(for: key, options: ReadOptionsHandle(options), to: body)
    }

    public func lendValues(for keys: KeyList, options: ReadOptions?, to body: (Int, RawSpan?) -> Void) throws(RocksError) {
        let family = columnFamily
        try family.handle.lendValues(for: keys, options: family.prepared(options), to: body)
    }

    public func makeCursor(_ range: ScanRange, options: ReadOptions?) throws(RocksError) -> Cursor {
        let family = columnFamily
        return try Cursor(family: family.handle, options: family.prepared(options), range: range)
    }

    public func keyMayExist(_ key: some ByteSource & ~Escapable, options: ReadOptions?) throws(RocksError) -> Bool {
        let family = columnFamily
        return try key.withBytes { (key) throws(RocksError) in
            try family.handle.keyMayExist(key, options: family.prepared(options))
        }
    }
}

extension ColumnFamily {
    /// The C++ options for a call: the defaults, created once, or those given.
    func prepared(_ options: ReadOptions?) -> ReadOptionsHandle {
        guard let options else { return readHandle }
        return ReadOptionsHandle(options)
    }

    /// The common read: neither creates options nor retains handles, which the column family holds in constants.
    @inline(__always)
    func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(RocksError) -> Bool {
        defer { extendLifetime(self) }
        return try unsafe ColumnFamilyHandle.lendValue(for: key, family: handle.pointer, options: readHandle.pointer, to: body) {
            handle.attempt("reading from")
        }
    }
}

// Generic code has to retain the store's `columnFamily`; a database has it in a constant.
extension RocksDB {
    /// Same as ``RocksReader/lendValue(for:options:to:)``.
    public func lendValue(for key: RawSpan, options: ReadOptions?, to body: (RawSpan) -> Void) throws(RocksError) -> Bool {
        guard options == nil else { return try defaultColumnFamily.lendValue(for: key, options: options, to: body) }
        defer { extendLifetime(self) }
        return try unsafe ColumnFamilyHandle.lendValue(
            for: key,
            family: defaultColumnFamily.handle.pointer,
            options: defaultColumnFamily.readHandle.pointer,
            to: body
        ) { defaultColumnFamily.handle.attempt("reading from") }
    }
}
