import CairnCore
import CairnForms
import CairnGraph
import CairnToolKit

/// What the page asks about an object store.
struct ObjectPages: StorePages {
    let store: ObjectStore

    var kind: String { "objects" }
    var name: String { "object store" }
    var followsChanges: Bool { store.engine.isShared }

    func overview() throws -> [(name: String, value: JSONValue)] {
        try store.inspect { inspector in
            [
                ("classes", .array(store.catalog.classes.map(Self.json))),
                ("moved_to", try inspector.movedTo().map { .string($0) } ?? .null),
                ("incomplete_indexes", .array(store.incompleteIndexes.map { .string($0) })),
            ]
        }
    }

    func answer(_ question: String, _ query: PageQuery) throws -> JSONValue? {
        try store.inspect(cancellation: query.cancellation) { inspector in
            switch question {
            case "size": try size(inspector, query)
            case "count": try .object([("count", Shown.count(inspector.count(find(query), in: stored(query))))])
            case "objects": try objects(inspector, query)
            case "object": try object(inspector, query)
            case "explain": try explain(inspector, query)
            case "names": try names(inspector, query)
            case "fields": try fields(inspector, query)
            default: nil
            }
        }
    }

    // MARK: Classes

    private static func json(_ stored: ObjectCatalog.Class) -> JSONValue {
        let indexes = stored.indexes.map { index in
            JSONValue.object([
                ("properties", .array(index.properties.map { .string($0) })), ("unique", .bool(index.isUnique)),
                ("complete", .bool(index.isComplete)),
            ])
        }
        let properties = stored.properties.map { property in
            JSONValue.object([
                ("name", .string(property.name)), ("type", .string(property.phrase)), ("gone", .bool(property.isGone)),
                ("shape", property.relationship.map { .string($0.shape.rawValue) } ?? .null),
                ("target", property.relationship?.target.map { .string($0) } ?? .null),
            ])
        }
        return .object([
            ("name", .string(stored.name)), ("number", .int(Int64(stored.number))), ("version", .int(Int64(stored.version))),
            ("properties", .array(properties)), ("indexes", .array(indexes)),
        ])
    }

    func stored(_ query: PageQuery) throws -> ObjectCatalog.Class {
        guard let stored = store.catalog[try query.text("class")] else { throw PageFault(.notFound, "There is no such class.") }
        return stored
    }

    /// Reads all data of the class.
    private func size(_ inspector: StoreInspector, _ query: PageQuery) throws -> JSONValue {
        let size = try inspector.size(try stored(query))
        func json(_ size: StoreInspector.EntrySize) -> JSONValue {
            .object([("count", Shown.count(size.count)), ("bytes", Shown.size(size.bytes))])
        }
        return .object([
            ("objects", Shown.count(size.objectCount)), ("pages", Shown.count(size.pageCount)), ("page_bytes", Shown.size(size.pageBytes)),
            ("large", Shown.count(size.largeCount)), ("large_bytes", Shown.size(size.largeBytes)),
            ("parts", Shown.count(size.partCount)), ("part_bytes", Shown.size(size.partBytes)),
            ("average", .double(size.averageBytes)), ("indexes", .array(size.indexes.map(json))), ("texts", .array(size.texts.map(json))),
        ])
    }

    // MARK: Objects

    private func find(_ query: PageQuery) -> StoreInspector.Query {
        var find = StoreInspector.Query(where: query.filled("where"), search: query.filled("search"))
        find.searchedProperties = query.filled("in")?.split(separator: ",").map(String.init) ?? []
        find.sorts = (query.filled("sort")?.split(separator: ",") ?? []).map { name in
            StoreInspector.Sort(String(name.hasPrefix("-") ? name.dropFirst() : name), isDescending: name.hasPrefix("-"))
        }
        return find
    }

    /// A page of objects: of a class, from a row on, or of a query's results, after the skipped ones.
    private func objects(_ inspector: StoreInspector, _ query: PageQuery) throws -> JSONValue {
        let stored = try stored(query)
        let limit = try query.limit()
        var (objects, faults): ([ObjectDump], [JSONValue]) = ([], [])
        func add(_ result: Result<ObjectDump, ObjectStoreError>) -> Bool {
            switch result {
            case .success(let object): objects.append(object)
            case .failure(let error): if faults.count < limit { faults.append(Self.fault(error)) }
            }
            // One more than the page has, to know whether another follows.
            return objects.count <= limit
        }
        var find = find(query)
        let isFound = find.condition != nil || find.search != nil || !find.sorts.isEmpty
        if isFound {
            find.offset = try query.number("offset", default: 0)
            find.limit = limit + 1
            try inspector.find(find, in: stored) { add($0) }
        } else {
            try inspector.forEach(stored, from: try query.number("from", default: 1)) { add($0) }
        }
        let more = objects.count > limit ? objects.removeLast() : nil
        let next: JSONValue = more.map { isFound ? .int(Int64(clamping: find.offset + limit)) : .unsigned($0.id.row) } ?? .null
        return .object([
            ("objects", .array(objects.map { json($0, stored, limit: Shown.inList, references: 5) })), ("next", next),
            ("by", .string(isFound ? "offset" : "from")), ("faults", .array(faults)),
        ])
    }

    private static func fault(_ error: ObjectStoreError) -> JSONValue {
        .object([("shredded", .bool(error.code == .shredded)), ("message", .string(error.message))])
    }

    private func object(_ inspector: StoreInspector, _ query: PageQuery) throws -> JSONValue {
        guard let id = ObjectID(try query.text("id")) else { throw PageFault(.badRequest, "This is not an object's identity.") }
        guard let stored = store.catalog[id], let object = try inspector.object(id) else {
            throw PageFault(.notFound, "There is no object \(id).")
        }
        let referrers = try inspector.referrers(to: id)
        let limit = try query.limit()
        return .object([
            ("object", json(object, stored, limit: Shown.alone, references: 1000)),
            ("class", .string(stored.name)), ("version", .int(Int64(object.version))), ("changes", .int(Int64(object.changeCount))),
            ("bytes", Shown.count(object.byteCount)), ("referrer_count", Shown.count(referrers.count)),
            (
                "referrers",
                .array(
                    referrers.prefix(max(limit, 200)).map { referrer in
                        .object([
                            ("id", .string("\(referrer.object)")), ("class", .string(referrer.className)),
                            ("property", .string(referrer.property)), ("count", Shown.count(referrer.count)),
                        ])
                    }
                )
            ),
        ])
    }

    private func json(_ object: ObjectDump, _ stored: ObjectCatalog.Class, limit: Int, references: Int) -> JSONValue {
        let values = object.fields.map { field in
            JSONValue.object([("name", .string(field.name)), ("value", Self.value(field, stored, limit, references))])
        }
        return .object([("id", .string("\(object.id)")), ("values", .array(values))])
    }

    static func value(_ field: ObjectDump.Field, _ stored: ObjectCatalog.Class, _ limit: Int, _ references: Int) -> JSONValue {
        switch field.value {
        case .one(nil), .value(.null): return .null
        case .one(let id?): return .object([("objects", .array([.string("\(id)")])), ("one", .bool(true))])
        case .many(let ids):
            return .object([("objects", .array(ids.prefix(references).map { .string("\($0)") })), ("count", Shown.count(ids.count))])
        case .keyed(let entries):
            return .object([
                ("objects", .array(entries.prefix(references).map { .string("\($0.object)") })),
                ("keys", .array(entries.prefix(references).map { .string(text($0.key)) })), ("count", Shown.count(entries.count)),
            ])
        case .value(.text(let text)): return Shown.text(text, limit: limit)
        case .value(.bytes(let bytes)): return Shown.bytes(bytes, limit: limit)
        case .value: return Shown.text(ObjectJSON.text(field, stored), limit: limit)
        }
    }

    private static func text(_ key: KeyTuple) -> String {
        if key.elements.count == 1, case .string(let text) = key.elements[0] { return text }
        return String(decoding: Hex.digits(key.keyBytes), as: UTF8.self)
    }

    // MARK: Queries and names

    private func explain(_ inspector: StoreInspector, _ query: PageQuery) throws -> JSONValue {
        let explanation = try inspector.explain(find(query), in: try stored(query))
        return .object([
            ("access", .string(explanation.access)), ("examined", Shown.count(explanation.examined)),
            ("more", .bool(explanation.isMore)), ("filter", explanation.filter.map { .string($0) } ?? .null),
            ("order", .string(explanation.order)),
        ])
    }

    private func names(_ inspector: StoreInspector, _ query: PageQuery) throws -> JSONValue {
        let after = query["after"]
        let limit = try query.limit()
        var (names, faults): ([JSONValue], [JSONValue]) = ([], [])
        var (last, next): (String?, String?) = (nil, nil)
        try inspector.forEachName { result in
            switch result {
            case .failure(let error): faults.append(Self.fault(error))
            case .success(let name):
                if ObjectMigration.isRecord(name.name) { return true }
                if let after, !after.unicodeScalars.lexicographicallyPrecedes(name.name.unicodeScalars) { return true }
                if names.count == limit {
                    next = last
                    return false
                }
                last = name.name
                let value: JSONValue =
                    switch name.value {
                    case .one(let id?): .object([("objects", .array([.string("\(id)")])), ("one", .bool(true))])
                    default: Shown.text(ObjectJSON.text(name.value), limit: Shown.inList)
                    }
                names.append(.object([("name", .string(name.name)), ("value", value)]))
            }
            return true
        }
        return .object([("names", .array(names)), ("next", next.map { .string($0) } ?? .null), ("faults", .array(faults))])
    }
}
