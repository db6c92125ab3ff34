import CRocks
public import CairnCore

/// What can be read from and written to with options for each call: a database (its default column family) or a column family.
public protocol RocksStore: RocksReader, RocksWriter, Sendable {
    /// The column family that the verbs use.
    var columnFamily: ColumnFamily { get }
}

extension RocksStore {
    public func lendValue(for key: RawSpan, options: ReadOptions?, to body: (RawSpan) -> Void) throws(RocksError) -> Bool {
        let family = columnFamily
        if let options { return try family.handle.lendValue(for: key, options: ReadOptionsHandle(options), to: body) }
        // The usual read neither makes options nor counts references to handles, which the column family holds in constants.
        defer { extendLifetime(family) }
        return try unsafe ColumnFamilyHandle.lendValue(
            for: key, family: family.handle.pointer, options: family.readHandle.pointer, to: body
        ) { family.handle.attempt("reading from") }
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
    /// The C++ options for a call: the defaults, made once, or those given.
    func prepared(_ options: ReadOptions?) -> ReadOptionsHandle {
        guard let options else { return readHandle }
        return ReadOptionsHandle(options)
    }
}
