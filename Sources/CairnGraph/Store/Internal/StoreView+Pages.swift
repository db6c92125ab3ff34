import CairnCore
import Synchronization

// Reading past what the engine cannot read.

extension StoreView {
    /// Calls `body` with each page of a class until it returns false, and `other` with keys in between that are not keys of pages. If the engine
    /// cannot read a page, passes an empty one, which no class has, and continues behind it.
    ///
    /// - Parameters:
    ///   - first: The first page.
    ///   - portion: How many pages to read at once.
    ///   - body: Its first argument has the number of the class and of the page.
    /// - Complexity: Beside the reading of what is there, a read for each page up to the last row of the class that cannot be read.
    func forEachPage(
        of stored: StoredClass,
        from first: UInt64 = 0,
        portion: Int = 256,
        other: ([UInt8]) -> Void = { _ in },
        _ body: (UInt64, [UInt8]) throws(ObjectStoreError) -> Bool
    ) throws(ObjectStoreError) {
        let last = ObjectPage.page(of: stored.lastRow.load(ordering: .relaxed))
        let pageCount = ObjectPage.page(of: ObjectID.maximumRow) + 1
        var next = first
        var range = Keyspace.pages(stored.number)
        let upperBound = range.upperBound
        range.lowerBound = Keyspace.page(stored.number, next)
        // The number of pages read together: halved after a failure until the unreadable page is isolated, then doubled again.
        var count = pageCount
        while true {
            let end = next + count
            range.upperBound = end < pageCount ? Keyspace.page(stored.number, end) : upperBound
            let entries: [(key: [UInt8], value: [UInt8])]
            do throws(ObjectStoreError) { entries = try self.entries(range, limit: portion) } catch {
                guard error.isDamageOfEngine else { throw error }
                guard count == 1 else {
                    count /= 2
                    continue
                }
                guard next <= last else { return }
                // Unlike the scan, this needs nothing of the entry behind it.
                if let page = try readablePage(stored, next) {
                    guard try body(ObjectID(class: stored.number, row: next).raw, page) else { return }
                }
                next += 1
                guard next < pageCount else { return }
                range.lowerBound = Keyspace.page(stored.number, next)
                continue
            }
            for (key, bytes) in entries {
                guard unsafe Keyspace.firstRow(ofPage: key.span.bytes) != nil else {
                    other(key)
                    continue
                }
                let page: UInt64 = unsafe Keyspace.number(key.span.bytes, at: 1)
                guard try body(page, bytes) else { return }
                next = page & ObjectID.maximumRow + 1
            }
            if entries.count == portion, let last = entries.last {
                range.lowerBound = last.key + [0]
            } else {
                guard end < pageCount else { return }
                range.lowerBound = Keyspace.page(stored.number, end)
                next = end
            }
            count = min(count * 2, pageCount)
        }
    }

    /// A page, empty if the engine cannot read it; `nil` if there is none.
    private func readablePage(_ stored: StoredClass, _ page: UInt64) throws(ObjectStoreError) -> [UInt8]? {
        do throws(ObjectStoreError) { return try get(Keyspace.page(stored.number, page)) } catch {
            guard error.isDamageOfEngine else { throw error }
            return []
        }
    }

    /// Copies of the entries of a range up to the first that the engine cannot read, and the error for that one.
    func readableEntries(
        _ range: KeyRange,
        reverse: Bool = false
    ) throws(ObjectStoreError) -> (entries: [(key: [UInt8], value: [UInt8])], failure: ObjectStoreError?) {
        var entries: [(key: [UInt8], value: [UInt8])] = []
        do throws(ObjectStoreError) {
            try lendEntries(in: range, reverse: reverse) { key, value in
                entries.append(([UInt8](copying: key), [UInt8](copying: value)))
                return true
            }
            return (entries, nil)
        } catch {
            guard error.isDamageOfEngine else { throw error }
            return (entries, error)
        }
    }
}

extension ObjectStoreError {
    /// Whether the engine found that its data is damaged.
    var isDamageOfEngine: Bool { code == .corruption && cause is EngineError }
}
