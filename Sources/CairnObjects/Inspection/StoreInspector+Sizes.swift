public import CairnCore

extension StoreInspector {
    /// What a class takes in the engine, before it compresses anything.
    public struct ClassSize: Hashable, Sendable {
        /// The class.
        public var name: String
        /// How many objects it has.
        public var objectCount = 0
        /// Pages, which hold up to 32 objects each.
        public var pageCount = 0
        /// Keys and pages.
        public var pageBytes = ByteCount.zero
        /// Records that are too large for a page.
        public var largeCount = 0
        /// Their keys and records.
        public var largeBytes = ByteCount.zero
        /// By the places of the catalog's indexes.
        public var indexes: [EntrySize] = []
        /// Blocks of text indexes, in the order in which they were declared.
        public var texts: [EntrySize] = []

        /// What an object takes on average, without its entries in indexes.
        public var averageBytes: Double {
            objectCount == 0 ? 0 : Double(pageBytes.bytes + largeBytes.bytes) / Double(objectCount)
        }
    }

    /// What entries of one kind take.
    public struct EntrySize: Hashable, Sendable {
        /// How many there are.
        public var count = 0
        /// Keys and values.
        public var bytes = ByteCount.zero
    }

    /// What a class takes.
    ///
    /// - Throws: ``ObjectStoreError``: `unknownClass`, `corruption` where the engine's data are damaged, `ioError`.
    /// - Complexity: O(n): everything is read.
    public func size(_ stored: ObjectCatalog.Class) throws(ObjectStoreError) -> ClassSize {
        let known = try known(stored)
        var size = ClassSize(name: known.name)
        let pages = try entrySize(Keyspace.pages(known.number)) { page in
            unsafe page.withUnsafeBytes { unsafe size.objectCount += ObjectPage.Records($0)?.bits.nonzeroBitCount ?? 0 }
        }
        (size.pageCount, size.pageBytes) = (pages.count, pages.bytes)
        let large = try entrySize(KeyRange(prefix: [0x02] + Keyspace.bigEndian(known.number)))
        (size.largeCount, size.largeBytes) = (large.count, large.bytes)
        for index in known.entry.indexes { size.indexes.append(try entrySize(KeyRange(prefix: Keyspace.entries(index.number)))) }
        for text in known.entry.texts ?? [] { size.texts.append(try entrySize(KeyRange(prefix: Keyspace.texts(text.number)))) }
        return size
    }

    /// What is noted of who leads to whom.
    ///
    /// - Throws: As ``size(_:)``.
    public func backReferenceSize() throws(ObjectStoreError) -> EntrySize { try entrySize(KeyRange(prefix: [0x05])) }

    /// What the names take.
    ///
    /// - Throws: As ``size(_:)``.
    public func nameSize() throws(ObjectStoreError) -> EntrySize { try entrySize(KeyRange(prefix: [0x06])) }

    private func entrySize(_ range: KeyRange, _ body: (RawSpan) -> Void = { _ in }) throws(ObjectStoreError) -> EntrySize {
        var (count, bytes) = (0, 0)
        try ObjectStoreError.translating { () throws(EngineError) in
            try view.lendEntries(in: range, reverse: false) { key, value in
                count += 1
                bytes += key.byteCount + value.byteCount
                body(value)
                return true
            }
        }
        return EntrySize(count: count, bytes: .bytes(Int64(bytes)))
    }
}
