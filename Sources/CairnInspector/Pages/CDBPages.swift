import CairnCDB
import CairnCore
import CairnToolKit

/// What the page asks about a constant database.
struct CDBPages: StorePages {
    let reader: CDBReader

    var kind: String { "cdb" }
    var name: String { "constant database" }

    func overview() throws -> [(name: String, value: JSONValue)] {
        [
            // The records of a damaged file may not be countable; its pages say what is wrong.
            ("bytes", Shown.size(reader.byteCount)), ("count", (try? reader.count).map { Shown.count($0) } ?? .null),
            ("layout", .string(reader.dialect.rawValue)),
        ]
    }

    func answer(_ question: String, _ query: PageQuery) throws -> JSONValue? {
        switch question {
        case "entries": try entries(query)
        case "statistics": try statistics()
        case "verify": try verify()
        default: nil
        }
    }

    /// A page of records in the order of the file, or those of a key.
    private func entries(_ query: PageQuery) throws -> JSONValue {
        let limit = try query.limit()
        if let name = query["hex"] == "1" ? try query.keyName(digits: "key") : query.keyName(text: "key") {
            var values: [JSONValue] = []
            guard let key = try key(name, query) else { throw PageFault.noSuchKey }
            try reader.forEachValue(of: key) { value in
                if values.count < 500 { values.append(Self.json(key, [UInt8](copying: value), limit: Shown.alone)) }
            }
            return .object([("entries", .array(values)), ("next", .null)])
        }
        let first: Int = try query.number("from", default: 0)
        var entries: [JSONValue] = []
        var cursor = reader.makeCursor()
        var place = 0
        while let entry = try cursor.next() {
            try query.checkCancellation()
            if place >= first {
                guard entries.count < limit else {
                    return .object([("entries", .array(entries)), ("next", .int(Int64(place)))])
                }
                entries.append(Self.json([UInt8](copying: entry.key), [UInt8](copying: entry.value), limit: Shown.inList))
            }
            place += 1
        }
        return .object([("entries", .array(entries)), ("next", .null)])
    }

    /// The key with a name, if there is one. To find a long one, the file is read up to it.
    private func key(_ name: KeyName, _ query: PageQuery) throws -> [UInt8]? {
        guard name.mark != nil else { return name.start }
        var cursor = reader.makeCursor()
        while let entry = try cursor.next() {
            try query.checkCancellation()
            let key = [UInt8](copying: entry.key)
            if name.isName(of: key) { return key }
        }
        return nil
    }

    private static func json(_ key: [UInt8], _ value: [UInt8], limit: Int) -> JSONValue {
        let name = KeyName(key)
        return .object([
            ("id", name.digits), ("mark", name.markJSON), ("key", Shown.bytes(key, limit: Shown.inList)),
            ("value", Shown.bytes(value, limit: limit)), ("bytes", Shown.count(value.count)),
        ])
    }

    private func statistics() throws -> JSONValue {
        let statistics = try reader.statistics()
        func sizes(_ sizes: CDBStatistics.Sizes) -> JSONValue {
            .object([("min", .unsigned(sizes.minimum)), ("max", .unsigned(sizes.maximum)), ("total", .unsigned(sizes.total))])
        }
        return .object([
            ("records", .unsigned(statistics.recordCount)), ("keys", sizes(statistics.keys)), ("values", sizes(statistics.values)),
            ("tables", .unsigned(statistics.tableCount)), ("table_slots", sizes(statistics.tables)),
            ("distances", .array(statistics.distances.map { .unsigned($0) })),
        ])
    }

    private func verify() throws -> JSONValue {
        do throws(CDBError) {
            try reader.verify()
            return .object([("intact", .bool(true))])
        } catch {
            guard error.code == .corruption || error.code == .foreignFile else { throw error }
            return .object([("intact", .bool(false)), ("message", .string(error.message))])
        }
    }
}
