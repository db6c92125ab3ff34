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
    public func size(_ stored: ObjectCatalog.Class) throws(ObjectStoreError) -> ClassSize {
        let known = try known(stored)
        var size = ClassSize(name: known.name)
        let pages = try entrySize(Keyspace.pages(known.number)) { page in
            size.objectCount += ObjectPage.Records(page)?.bits.nonzeroBitCount ?? 0
        }
        (size.pageCount, size.pageBytes) = (pages.count, pages.bytes)
        let large = try entrySize(KeyRange(prefix: [0x02] + Keyspace.bigEndian(known.number)))
        (size.largeCount, size.largeBytes) = (large.count, large.bytes)
        let parts = try entrySize(KeyRange(prefix: [Keyspace.chunkKind] + Keyspace.bigEndian(known.number)))
        (size.partCount, size.partBytes) = (parts.count, parts.bytes)
        for index in known.entry.indexes { size.indexes.append(try entrySize(KeyRange(prefix: Keyspace.entries(index.number)))) }
        for text in known.entry.texts ?? [] { size.texts.append(try entrySize(KeyRange(prefix: Keyspace.texts(text.number)))) }
        return size
    }

    /// Returns the space that back references take.
    ///
    /// - Throws: Same as ``size(_:)``.
    public func backReferenceSize() throws(ObjectStoreError) -> EntrySize { try entrySize(KeyRange(prefix: [0x05])) }

    /// Returns the space that names take, except those that record migrations.
    ///
    /// - Throws: Same as ``size(_:)``.
    public func nameSize() throws(ObjectStoreError) -> EntrySize {
        let all = try entrySize(KeyRange(prefix: [0x06]))
        let records = try entrySize(KeyRange(prefix: Keyspace.name(ObjectMigration.prefix)))
        return EntrySize(count: all.count - records.count, bytes: .bytes(all.bytes.bytes - records.bytes.bytes))
    }

    private func entrySize(_ range: KeyRange, _ body: (RawSpan) -> Void = { _ in }) throws(ObjectStoreError) -> EntrySize {
        var (count, bytes) = (0, 0)
        try view.lendEntries(in: range, reverse: false) { key, value in
            count += 1
            bytes += key.byteCount + value.byteCount
            body(value)
            return true
        }
        return EntrySize(count: count, bytes: .bytes(Int64(bytes)))
    }
}
