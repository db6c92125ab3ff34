public import CairnCore

extension StoreInspector {
    /// The space that a class takes in the engine, before compression.
    public struct ClassSize: Hashable, Sendable {
        /// The class.
        public var name: String
        /// The number of objects.
        public var objectCount = 0
        /// The number of pages, which contain up to 32 objects each.
        public var pageCount = 0
        /// The size of keys and pages.
        public var pageBytes = ByteCount.zero
        /// The number of records too large for a page.
        public var largeCount = 0
        /// The size of their keys and records.
        public var largeBytes = ByteCount.zero
        /// The number of chunks of long lists and parts of large values.
        public var partCount = 0
        /// The size of their keys and contents.
        public var partBytes = ByteCount.zero
        /// The sizes of the indexes, in the catalog's order.
        public var indexes: [EntrySize] = []
        /// The sizes of the text indexes, in the order of their declaration.
        public var texts: [EntrySize] = []

        /// The average size of an object, without its index entries.
        public var averageBytes: Double {
            objectCount == 0 ? 0 : Double(pageBytes.bytes + largeBytes.bytes + partBytes.bytes) / Double(objectCount)
        }
    }

    /// The space that entries of one kind take.
    public struct EntrySize: Hashable, Sendable {
        /// The number of entries.
        public var count = 0
        /// The size of keys and values.
        public var bytes = ByteCount.zero
    }

    /// Returns the space that a class takes.
    ///
    /// - Throws: ``ObjectStoreError``: `unknownClass`, `corruption` if the engine's data is damaged, `ioError`.
    /// - Complexity: O(n): everything is read.
    public func size(_ stored: ObjectCatalog.Class) throws(ObjectStoreError) -> ClassSize { try size(stored, unreadable: nil) }

    /// The same; if `unreadable` is given, it is called with what is damaged, and the size is that of everything else.
    package func size(
        _ stored: ObjectCatalog.Class,
        unreadable: ((ObjectStoreError) -> Void)?
    ) throws(ObjectStoreError) -> ClassSize {
        let known = try known(stored)
        var size = ClassSize(name: known.name)
        try addPages(known, to: &size, unreadable)
        func entries(_ prefix: [UInt8], _ what: String) throws(ObjectStoreError) -> EntrySize {
            try entrySize(KeyRange(prefix: prefix), "\(what) of \(known.name)", unreadable)
        }
        let large = try entries([0x02] + Keyspace.bigEndian(known.number), "large objects")
        (size.largeCount, size.largeBytes) = (large.count, large.bytes)
        let parts = try entries([Keyspace.chunkKind] + Keyspace.bigEndian(known.number), "parts of objects")
        (size.partCount, size.partBytes) = (parts.count, parts.bytes)
        for index in known.entry.indexes { size.indexes.append(try entries(Keyspace.entries(index.number), "entries of an index")) }
        for text in known.entry.texts ?? [] { size.texts.append(try entries(Keyspace.texts(text.number), "entries of a text index")) }
        return size
    }

    /// Returns the space that back references take.
    ///
    /// - Throws: Same as ``size(_:)``.
    public func backReferenceSize() throws(ObjectStoreError) -> EntrySize { try backReferenceSize(unreadable: nil) }

    /// The same, with `unreadable` as in ``size(_:unreadable:)``.
    package func backReferenceSize(unreadable: ((ObjectStoreError) -> Void)?) throws(ObjectStoreError) -> EntrySize {
        try entrySize(KeyRange(prefix: [0x05]), "references of \(store.name)", unreadable)
    }

    /// Returns the space that names take, except those that record migrations.
    ///
    /// - Throws: Same as ``size(_:)``.
    public func nameSize() throws(ObjectStoreError) -> EntrySize { try nameSize(unreadable: nil) }

    /// The same, with `unreadable` as in ``size(_:unreadable:)``.
    package func nameSize(unreadable: ((ObjectStoreError) -> Void)?) throws(ObjectStoreError) -> EntrySize {
        let (all, records) = (KeyRange(prefix: [0x06]), KeyRange(prefix: Keyspace.name(ObjectMigration.prefix)))
        let before = KeyRange(lowerBound: all.lowerBound, upperBound: records.lowerBound)
        let after = KeyRange(lowerBound: records.upperBound ?? records.lowerBound, upperBound: all.upperBound)
        var size = EntrySize()
        for range in [before, after] {
            let part = try entrySize(range, "names of \(store.name)", unreadable)
            size.count += part.count
            size.bytes += part.bytes
        }
        return size
    }

    private func addPages(
        _ stored: StoredClass,
        to size: inout ClassSize,
        _ unreadable: ((ObjectStoreError) -> Void)?
    ) throws(ObjectStoreError) {
        guard let unreadable else {
            var count = 0
            let pages = try entrySize(Keyspace.pages(stored.number), "", nil) { count += ObjectPage.Records($0)?.bits.nonzeroBitCount ?? 0 }
            (size.objectCount, size.pageCount, size.pageBytes) = (count, pages.count, pages.bytes)
            return
        }
        var (objects, pages, byteCount) = (0, 0, 0)
        try view.forEachPage(of: stored) { page, bytes throws(ObjectStoreError) in
            if let records = unsafe ObjectPage.Records(bytes.span.bytes) {
                objects += records.bits.nonzeroBitCount
            } else {
                unreadable(
                    StoreReading.damagedPage(ObjectID(class: stored.number, row: page << ObjectPage.rowBits & ObjectID.maximumRow), stored)
                )
            }
            guard !bytes.isEmpty else { return true }
            pages += 1
            byteCount += Keyspace.page(stored.number, 0).count + bytes.count
            return true
        }
        (size.objectCount, size.pageCount, size.pageBytes) = (objects, pages, .bytes(Int64(byteCount)))
    }

    /// - Parameter what: What the entries are, for the error that is passed to `unreadable`.
    private func entrySize(
        _ range: KeyRange,
        _ what: String,
        _ unreadable: ((ObjectStoreError) -> Void)?,
        _ body: (RawSpan) -> Void = { _ in }
    ) throws(ObjectStoreError) -> EntrySize {
        var (count, bytes) = (0, 0)
        func read(reverse: Bool) throws(ObjectStoreError) {
            try view.lendEntries(in: range, reverse: reverse) { key, value in
                count += 1
                bytes += key.byteCount + value.byteCount
                body(value)
                return true
            }
        }
        do throws(ObjectStoreError) { try read(reverse: false) } catch {
            guard let unreadable, error.isDamageOfEngine else { throw error }
            unreadable(ObjectStoreError(.corruption, "\(what) cannot be read: \(error.message)", cause: error.cause))
            // From the other end up to the damage, which neither reads past.
            do throws(ObjectStoreError) { try read(reverse: true) } catch { guard error.isDamageOfEngine else { throw error } }
        }
        return EntrySize(count: count, bytes: .bytes(Int64(bytes)))
    }
}
