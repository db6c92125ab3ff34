import CairnCore
import CairnForms
import CairnMapped
import CairnToolKit

/// What the page asks about a mapped store.
struct MappedPages: StorePages {
    let store: MappedStore

    var kind: String { "mapped" }
    var name: String { store.path }
    var followsChanges: Bool { true }

    func overview() throws -> [(name: String, value: JSONValue)] {
        [
            ("count", Shown.count(try store.count)), ("file_bytes", Shown.size(try store.fileSize)),
            ("live_bytes", Shown.size(try store.liveSize)), ("encrypted", .bool(store.options.cipher != nil)),
            ("opened_clean", .bool(store.openReport.isClean)),
        ]
    }

    func answer(_ question: String, _ query: PageQuery) throws -> JSONValue? {
        switch question {
        case "entries": try entries(query)
        case "entry": try entry(query)
        case "types": try types(query)
        case "verify": try verify()
        default: nil
        }
    }

    /// A page of keys in order, after a given one; only keys that contain a text, if asked.
    private func entries(_ query: PageQuery) throws -> JSONValue {
        let (keys, omissions) = try keys()
        let (part, limit) = (query.filled("contains"), try query.limit())
        let after = try query.keyName(text: "after").map { try key($0, keys, PageFault.noSuchStart) }
        let count = keys.count
        var found = 0
        var first = FirstKeys(limit: limit + 1)
        for key in keys where part.map(key.contains) ?? true {
            found += 1
            if after.map({ FirstKeys.isBefore($0, key) }) ?? true { first.add(key) }
        }
        let next = first.keys.count > limit ? KeyName(first.keys[limit - 1]) : nil
        return .object([
            ("entries", .array(first.keys.prefix(limit).compactMap { json($0, limit: Shown.inList) })),
            ("next", next?.text ?? .null), ("next_mark", next?.markJSON ?? .null), ("count", Shown.count(count)),
            ("found", Shown.count(found)), ("damaged", Shown.count(omissions?.damagedKeys.count ?? 0)),
            ("unreadable", Shown.count(omissions?.unreadableCount ?? 0)),
        ])
    }

    /// All keys, including those of damaged values, and the damage, if there is any.
    private func keys() throws -> ([String], MappedOmissions?) {
        do throws(MappedStoreError) { return (try store.keys(), nil) } catch {
            guard error.code == .corruption else { throw error }
            var keys: [String] = []
            let omissions = try store.forEachIntact { keys.append($0.key) }
            return (keys + omissions.damagedKeys, omissions)
        }
    }

    /// The key with a name; if it is long, it is looked for among `keys`.
    private func key(_ name: KeyName, _ keys: @autoclosure () throws -> [String], _ fault: PageFault) throws -> String {
        guard name.mark != nil else { return String(decoding: name.start, as: UTF8.self) }
        guard let key = try keys().first(where: { name.isName(of: Array($0.utf8)) }) else { throw fault }
        return key
    }

    private func entry(_ query: PageQuery) throws -> JSONValue {
        guard let name = query.keyName(text: "key") else { throw PageFault(.badRequest, "The parameter 'key' is missing.") }
        let key = try key(name, keys().0, PageFault.noSuchKey)
        guard case .object(let fields)? = json(key, limit: Shown.alone) else { throw PageFault.noSuchKey }
        // To change the entry.
        return .object(fields + [("whole", key.utf8.count <= Shown.alone ? .string(key) : .null)])
    }

    /// `nil` if the key is gone meanwhile.
    private func json(_ key: String, limit: Int) -> JSONValue? {
        let name = KeyName(key)
        let head: [(name: String, value: JSONValue)] = [
            ("id", name.text), ("mark", name.markJSON), ("key", Shown.text(key, limit: limit)),
        ]
        do throws(MappedStoreError) {
            guard let value = try store.get(key, as: MappedVariant.self) else { return nil }
            let shown: JSONValue =
                switch value {
                case .bytes(let bytes), .other(_, let bytes): Shown.bytes(bytes, limit: limit)
                default: Shown.text(String(decoding: MappedText.bytes(value), as: UTF8.self), limit: limit)
                }
            return .object(
                head + [
                    ("type", .string("\(value.type)")), ("value", shown), ("edit", edited(value)),
                    ("bytes", Shown.count(try store.valueSize(of: key) ?? 0)),
                    ("expires", try store.expiry(of: key).map { .string(MappedText.text($0)) } ?? .null),
                ]
            )
        } catch {
            return .object(head + [("fault", .string(error.message))])
        }
    }

    /// The text to edit; `null` if it cannot be edited as text.
    private func edited(_ value: MappedVariant) -> JSONValue {
        let text: String
        switch value {
        case .other, .array: return .null
        case .bytes(let bytes): text = String(decoding: Hex.digits(bytes), as: UTF8.self)
        default: text = String(decoding: MappedText.bytes(value), as: UTF8.self)
        }
        return Shown.obstacle(text) == nil ? .string(text) : .null
    }

    /// The number and size of the values of each type.
    private func types(_ query: PageQuery) throws -> JSONValue {
        var types: [String: (count: Int, bytes: Int)] = [:]
        let omissions = try store.forEachIntact { (entry) throws in
            try query.checkCancellation()
            types["\(entry.value.type)", default: (0, 0)].count += 1
            types["\(entry.value.type)", default: (0, 0)].bytes += try entry.value.withStoredBytes { bytes, _ in bytes.byteCount }
        }
        let sorted = types.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        return .object([
            (
                "types",
                .array(
                    sorted.map { name, type in
                        .object([("name", .string(name)), ("count", Shown.count(type.count)), ("bytes", Shown.count(type.bytes))])
                    }
                )
            ),
            ("damaged", .bool(!omissions.isEmpty)),
        ])
    }

    private func verify() throws -> JSONValue {
        let verification = try store.verify()
        return .object([
            ("intact", .bool(verification.isIntact)), ("intact_count", Shown.count(verification.intactCount)),
            ("damaged_count", Shown.count(verification.damagedKeys.count)),
            ("damaged_keys", .array(verification.damagedKeys.prefix(100).map { Shown.text($0, limit: Shown.inList) })),
            ("unreadable", Shown.count(verification.unreadableCount)), ("index_intact", .bool(verification.indexIsIntact)),
            (
                "missing",
                verification.missingRange.map { .array([Shown.count($0.lowerBound), Shown.count($0.upperBound)]) } ?? .null
            ),
        ])
    }
}

/// The first few of many keys, in the order of their bytes: the others are not sorted. A store distinguishes keys that are equal as Swift strings.
private struct FirstKeys {
    let limit: Int
    private(set) var keys: [String] = []

    init(limit: Int) { self.limit = limit }

    static func isBefore(_ key: String, _ other: String) -> Bool { key.utf8.lexicographicallyPrecedes(other.utf8) }

    mutating func add(_ key: String) {
        if keys.count == limit {
            guard let last = keys.last, Self.isBefore(key, last) else { return }
            keys.removeLast()
        }
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.isBefore(keys[middle], key) { low = middle + 1 } else { high = middle }
        }
        keys.insert(key, at: low)
    }
}
