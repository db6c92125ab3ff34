import CairnCore
import CairnForms
import CairnRocks
import CairnToolKit

/// What the page asks about a RocksDB database.
struct RocksPages: StorePages {
    let database: RocksDB

    var kind: String { "rocks" }
    var name: String { database.path }

    func overview() throws -> [(name: String, value: JSONValue)] {
        let types = (try? TableTypesFile.read(in: database.path)) ?? [:]
        let families = try database.columnFamilyNames.map { name in
            let stats = try FamilyStats(try database.columnFamily(name))
            return JSONValue.object([
                ("name", .string(name)), ("stats", stats.json), ("key", types[name]?.key.map { .string($0) } ?? .null),
                ("value", types[name]?.value.map { .string($0) } ?? .null),
            ])
        }
        return [
            ("library", .string(RocksDB.libraryVersion)),
            ("sequence", .unsigned(try database.latestSequenceNumber())), ("families", .array(families)),
        ]
    }

    func answer(_ question: String, _ query: PageQuery) throws -> JSONValue? {
        switch question {
        case "entries": try entries(query)
        case "entry": try entry(query)
        case "levels": try levels(query)
        case "properties": try properties(query)
        case "figures": try figures()
        default: nil
        }
    }

    private func family(_ query: PageQuery) throws -> ColumnFamily {
        let name = try query.text("family")
        guard database.columnFamilyNames.contains(name) else { throw PageFault(.notFound, "There is no such column family.") }
        return try database.columnFamily(name)
    }

    // MARK: Entries

    /// A page of entries, from a key on, in reverse order if asked.
    private func entries(_ query: PageQuery) throws -> JSONValue {
        let family = try family(query)
        let form = EntryShape(family.name, in: database.path)
        let limit = try query.limit()
        let range: ScanRange =
            if let prefix = query.filled("prefix") { .prefix(try form.prefix(prefix)) } else { .all }
        var cursor = try family.makeCursor(query["reverse"] == "1" ? range.reversed : range, options: .scan)
        let start =
            if let name = try query.keyName(digits: "from") { try key(name, family, query, PageFault.noSuchStart) } else {
                try query.filled("seek").map { try form.prefix($0) }
            }
        var entries: [JSONValue] = []
        var next: KeyName?
        /// Whether there is room for more.
        func add(_ key: RawSpan, _ value: RawSpan) -> Bool {
            let key = [UInt8](copying: key)
            guard entries.count < limit else {
                next = KeyName(key)
                return false
            }
            entries.append(form.json(key, [UInt8](copying: value), limit: Shown.inList))
            return true
        }
        if let start {
            guard let entry = try cursor.seek(to: start), add(entry.key, entry.value) else {
                return Self.page([], next: nil)
            }
        }
        while let entry = try cursor.next() {
            guard add(entry.key, entry.value) else { break }
        }
        return Self.page(entries, next: next)
    }

    private static func page(_ entries: [JSONValue], next: KeyName?) -> JSONValue {
        .object([("entries", .array(entries)), ("next", next?.digits ?? .null), ("next_mark", next?.markJSON ?? .null)])
    }

    /// The key with a name. To find a long one, reads the keys that begin alike or, if the program defines the order, all keys.
    private func key(_ name: KeyName, _ family: ColumnFamily, _ query: PageQuery, _ fault: PageFault) throws -> [UInt8] {
        guard name.mark != nil else { return name.start }
        var cursor = try family.makeCursor(.prefix(name.start), options: .scan)
        while let found = try cursor.nextKey() {
            try query.checkCancellation()
            let key = [UInt8](copying: found)
            if name.isName(of: key) { return key }
        }
        throw fault
    }

    private func entry(_ query: PageQuery) throws -> JSONValue? {
        let family = try family(query)
        guard let name = try query.keyName(digits: "key") else { throw PageFault(.badRequest, "The parameter 'key' is missing.") }
        let key = try key(name, family, query, PageFault.noSuchKey)
        guard let value: [UInt8] = try family.get(key) else { throw PageFault.noSuchKey }
        let shape = EntryShape(family.name, in: database.path)
        guard case .object(let fields) = shape.json(key, value, limit: Shown.alone) else { return nil }
        // To change the entry.
        let whole: JSONValue = key.count <= Shown.alone ? Shown.digits(key) : .null
        return .object(fields + [("edit", shape.edited(value)), ("whole", whole)])
    }

    // MARK: Insight

    private func levels(_ query: PageQuery) throws -> JSONValue {
        let metadata = try family(query).metadata()
        let levels = metadata.levels.map { level in
            let files = level.files.prefix(200).map { file in
                JSONValue.object([
                    ("name", .string(file.name)), ("bytes", Shown.size(file.size)), ("entries", Shown.count(file.entryCount)),
                    ("deletions", Shown.count(file.deletionCount)), ("first", Shown.bytes(file.smallestKey, limit: Shown.inList)),
                    ("last", Shown.bytes(file.largestKey, limit: Shown.inList)),
                ])
            }
            return JSONValue.object([
                ("level", .int(Int64(level.level))), ("bytes", Shown.size(level.size)), ("count", Shown.count(level.files.count)),
                ("files", .array(files)),
            ])
        }
        return .object([
            ("bytes", Shown.size(metadata.size)), ("levels", .array(levels)), ("blob_bytes", Shown.size(metadata.blobFileSize)),
            ("blob_files", Shown.count(metadata.blobFiles.count)),
        ])
    }

    private func properties(_ query: PageQuery) throws -> JSONValue {
        let family = try family(query)
        let properties = try PropertyNames.all.compactMap { name in
            try family.property(name).map { JSONValue.object([("name", .string(name)), ("value", .string($0))]) }
        }
        return .object([("properties", .array(properties))])
    }

    /// What the page draws over time: counters that only grow, and sizes.
    private func figures() throws -> JSONValue {
        let families = try database.columnFamilyNames.map { try FamilyStats(try database.columnFamily($0)) }
        func sum(_ size: (FamilyStats) -> ByteCount) -> JSONValue { Shown.size(families.reduce(.zero) { $0 + size($1) }) }
        return .object([
            ("sequence", .unsigned(try database.latestSequenceNumber())),
            ("keys", .unsigned(families.reduce(0) { $0 &+ $1.keys })), ("on_disk", sum(\.onDisk)), ("memtables", sum(\.memtables)),
            ("files", .unsigned(families.reduce(0) { $0 &+ $1.files })),
        ])
    }
}

/// How the entries of a column family are shown: by the types that the database remembers, or as bytes.
struct EntryShape {
    let keyTypes: KeyTypes?
    let valueType: ValueType?

    init(_ family: String, in path: String) {
        let types = (try? TableTypesFile.read(in: path))?[family]
        keyTypes = types?.key.flatMap { KeyTypes(argument: $0) }
        valueType = types?.value.flatMap { ValueType($0) }
    }

    /// The beginning of keys that a text stands for.
    func prefix(_ text: String) throws -> [UInt8] {
        guard let keyTypes else { return Array(text.utf8) }
        do { return try keyTypes.prefix(text) } catch let failure as Failure { throw PageFault(.badRequest, failure.message) }
    }

    /// A value to edit: as text if that can be edited, or else as hexadecimal digits; `null` if it is too large.
    func edited(_ value: [UInt8]) -> JSONValue {
        if let number = valueType?.number(value) { return .object([("text", .string(number))]) }
        if case .object(let fields) = Shown.bytes(value, limit: Shown.alone),
            case .string(let text)? = fields.first(where: { $0.name == "text" })?.value,
            fields.count == 1, Shown.obstacle(text) == nil
        {
            return .object([("text", .string(text))])
        }
        guard value.count <= Shown.alone / 2 else { return .null }
        return .object([("hex", Shown.digits(value))])
    }

    func json(_ key: [UInt8], _ value: [UInt8], limit: Int) -> JSONValue {
        let elements = (try? keyTypes?.values(key)).map { values in values.map { Shown.text(Self.text($0), limit: limit) } }
        let name = KeyName(key)
        return .object([
            ("id", name.digits), ("mark", name.markJSON), ("key", Shown.bytes(key, limit: limit)),
            ("elements", elements.map { .array($0) } ?? .null),
            ("value", valueType?.number(value).map { Shown.text($0, limit: limit) } ?? Shown.bytes(value, limit: limit)),
            ("bytes", Shown.count(value.count)),
        ])
    }

    private static func text(_ value: JSONValue) -> String {
        if case .string(let text) = value { text } else { String(decoding: value.text, as: UTF8.self) }
    }
}
