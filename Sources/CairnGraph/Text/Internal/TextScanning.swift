import CairnCore

enum TextScanning {
    /// Calls `body` with the rows of a class and the forms of their texts, in order, or with why they cannot be read: `corruption`,
    /// `shredded`. For a damaged page, it passes all rows that the page might contain.
    ///
    /// - Throws: What `body` and the engine throw.
    static func forEachText(
        of stored: StoredClass,
        _ text: StoredText,
        in rows: Range<UInt64>,
        _ view: StoreView,
        _ body: (UInt64, Result<[UInt8], ObjectStoreError>) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) {
        var reader = TextReader(stored, text.place)
        func form(_ row: UInt64, _ record: RawSpan) -> Result<[UInt8], ObjectStoreError> {
            let id = ObjectID(class: stored.number, row: row)
            do throws(RecordError) {
                try reader.read(record, id, view)
                return .success(reader.form)
            } catch {
                let message = "\(stored.name) \(row) cannot be read (\(error.message)); delete it, and try again"
                return .failure(ObjectStoreError(.init(error), message, object: id, cause: error))
            }
        }
        let range = KeyRange(
            lowerBound: Keyspace.page(stored.number, ObjectPage.page(of: rows.lowerBound)),
            upperBound: Keyspace.page(stored.number, ObjectPage.page(of: rows.upperBound))
        )
        try view.forEachPortion(of: range) { portion throws(ObjectStoreError) in
            for (key, page) in portion {
                guard let first = unsafe Keyspace.firstRow(ofPage: key.span.bytes) else { continue }
                var next = first
                var isWhole = false
                if var records = unsafe ObjectPage.Records(page.span.bytes) {
                    while let row = records.next() {
                        next = first + UInt64(row.slot)
                        try body(next, row.record.isEmpty ? large(stored, next, view, form) : form(next, row.record))
                        next += 1
                    }
                    isWhole = records.isWhole
                }
                guard !isWhole else { continue }
                for row in next..<first + UInt64(ObjectPage.rowCount) {
                    try body(row, .failure(StoreReading.damagedPage(ObjectID(class: stored.number, row: row), stored)))
                }
            }
        }
    }

    /// The first shard, from the given one on, in which one of the text indexes has blocks; `nil` if there is none.
    static func nextShard(
        of texts: [StoredText],
        from shard: UInt64,
        _ view: StoreView
    ) throws(ObjectStoreError) -> UInt64? {
        guard shard <= lastShard else { return nil }
        var found: UInt64?
        for text in texts {
            let range = KeyRange(
                lowerBound: Keyspace.texts(text.number, shard: shard),
                upperBound: Keyspace.texts(text.number, shard: lastShard + 1)
            )
            try view.lendEntries(in: range, reverse: false) { key, _ in
                // Shorter keys are not keys of blocks.
                if key.byteCount >= 9 { found = min(found ?? .max, UInt64(Keyspace.number(key, at: 5) as UInt32)) }
                return key.byteCount < 9
            }
        }
        return found
    }

    /// The first row, from the given one on, of an existing page; `nil` if there is none. Rows may be far apart.
    static func nextRow(of stored: StoredClass, from row: UInt64, _ view: StoreView) throws(ObjectStoreError) -> UInt64? {
        guard row <= ObjectID.maximumRow else { return nil }
        var pages = Keyspace.pages(stored.number)
        pages.lowerBound = Keyspace.page(stored.number, ObjectPage.page(of: row))
        var first: UInt64?
        try view.lendEntries(in: pages, reverse: false) { key, _ in
            first = Keyspace.firstRow(ofPage: key)
            return first == nil
        }
        return first
    }

    /// The shard of the last possible row.
    static var lastShard: UInt64 { TextBlock.shard(of: ObjectID.maximumRow) }

    /// A record stored outside its page.
    private static func large(
        _ stored: StoredClass,
        _ row: UInt64,
        _ view: StoreView,
        _ form: (UInt64, RawSpan) -> Result<[UInt8], ObjectStoreError>
    ) throws(ObjectStoreError) -> Result<[UInt8], ObjectStoreError> {
        let id = ObjectID(class: stored.number, row: row)
        var result = Result<[UInt8], ObjectStoreError>.failure(StoreReading.damagedPage(id, stored))
        do throws(ObjectStoreError) {
            try StoreReading.record(id, stored, in: view) { record in result = form(row, record) }
        } catch {
            guard error.code == .corruption else { throw error }
            return .failure(error)
        }
        return result
    }
}
