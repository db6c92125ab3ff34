import CairnCore

extension EngineChange {
    /// Calls `body`, maybe several times, with the first row of each page in which a record was written; returns false if these pages are unknown.
    ///
    /// - Parameter classNumber: The class; `nil` for all.
    func forEachPage(of classNumber: UInt16?, _ body: (ObjectID) -> Void) -> Bool {
        let pages = classNumber.map(Keyspace.pages) ?? KeyRange(prefix: [Keyspace.pageKind])
        let largeRecords = classNumber.map(Keyspace.largeRecords) ?? KeyRange(prefix: [Keyspace.largeKind])
        guard !isEverything, !deletedRanges.contains(where: { $0.overlaps(pages) || $0.overlaps(largeRecords) }) else { return false }
        forEachKey(in: pages) { key in
            if let row = Keyspace.firstRow(ofPage: key) { body(ObjectID(class: Keyspace.number(key, at: 1), row: row)) }
        }
        forEachKey(in: largeRecords) { key in
            if key.byteCount == 9 { body(ObjectID(raw: Keyspace.number(key, at: 1)).firstOfPage) }
        }
        return true
    }

    /// Calls `body` with each written key of a range.
    func forEachKey(in range: KeyRange, _ body: (RawSpan) -> Void) {
        var index = unsafe keys.firstIndex(notBefore: range.lowerBound.span.bytes)
        while index < keys.count, range.contains(keys[index]) {
            body(keys[index])
            index += 1
        }
    }
}

extension ObjectID {
    /// The first row of the page.
    var firstOfPage: ObjectID { ObjectID(class: classNumber, row: ObjectPage.page(of: row) << ObjectPage.rowBits) }

    /// The rows of the page that begins with this row.
    var rowsOfPage: some Sequence<ObjectID> {
        (0..<UInt64(ObjectPage.rowCount)).lazy.map { ObjectID(class: classNumber, row: row + $0) }
    }
}
