/// Tests whether the texts of records match a query. For a single thread.
final class TextRecordTest {
    private let query: TextQuery
    private let isNegated: Bool
    private var readers: [TextReader]

    init(_ query: TextQuery, _ isNegated: Bool, _ properties: [Int], _ stored: StoredClass) {
        self.query = query
        self.isNegated = isNegated
        readers = properties.map { TextReader(stored, $0) }
    }

    func holds(_ record: RawSpan, _ id: ObjectID, _ view: StoreView) throws(RecordError) -> Bool {
        for place in readers.indices { try readers[place].read(record, id, view) }
        return query.holds { pattern in readers.contains { pattern.matches($0.form) } } != isNegated
    }
}
