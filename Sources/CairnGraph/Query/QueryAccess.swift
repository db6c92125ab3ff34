import CairnCore

/// Where a query finds the IDs of the saved objects that it examines.
indirect enum QueryAccess {
    /// No object can match.
    case nothing
    /// All pages of the class, despite indexes that would narrow the search if they were not encrypted.
    case everything(despite: [StoredIndex] = [])
    case index(IndexScan)
    /// The objects whose property refers to one of several objects.
    case owners(of: [ObjectID], ReferringProperty, String)
    /// All objects, in the order of a property of those that they refer to.
    case targets(TargetWalk)
    /// The objects whose texts may match a query.
    case text(TextScan)
    /// Known objects, in order.
    case rows([ObjectID], String)
    case union([QueryAccess])

    /// Whether IDs come in ascending order.
    var isByIdentity: Bool {
        switch self {
        case .nothing, .everything, .text, .rows: true
        case .index(let scan): scan.isByIdentity
        case .owners(let targets, _, _): targets.count == 1
        case .union, .targets: false
        }
    }

    /// Whether it finds all objects, so that the pages can count them.
    var findsAll: Bool {
        switch self {
        case .everything, .targets: true
        default: false
        }
    }

    /// Whether an object may come more than once.
    var mayRepeat: Bool {
        switch self {
        case .union: true
        case .owners(let targets, let property, _): targets.count > 1 && !property.isToOne
        default: false
        }
    }

    /// Whether it reads entries, rather than records or known objects.
    var hasEntries: Bool {
        switch self {
        case .index, .owners: true
        default: false
        }
    }

    func text(_ stored: StoredClass) -> String {
        switch self {
        case .nothing: "nothing: no object can match"
        case .everything(let indexes): "all \(stored.name)" + Self.text(ofUseless: indexes)
        case .index(let scan):
            "index (\(scan.index.index.properties.joined(separator: ", ")))\(scan.text.isEmpty ? ", all of it" : ": \(scan.text)")"
        case .owners(_, _, let text): text
        case .targets(let walk): walk.text
        case .text(let scan): scan.text
        case .rows(_, let text): text
        case .union(let parts): parts.map { $0.text(stored) }.joined(separator: "; and ")
        }
    }
}

extension QueryAccess {
    private static func text(ofUseless indexes: [StoredIndex]) -> String {
        let names = indexes.map { "(\($0.index.properties.joined(separator: ", ")))" }.joined(separator: ", ")
        return switch indexes.count {
        case 0: ""
        case 1: ", since the index \(names) is encrypted and supports only equality"
        default: ", since the indexes \(names) are encrypted and support only equality"
        }
    }
}

/// A property that refers to objects.
struct ReferringProperty {
    let classNumber: UInt16
    let number: UInt16
    let isToOne: Bool

    init(_ classNumber: UInt16, _ number: UInt16, isToOne: Bool) {
        self.classNumber = classNumber
        self.number = number
        self.isToOne = isToOne
    }

    init(_ relation: Relation) { self.init(relation.owner.number, relation.number, isToOne: relation.shape == .one) }

    /// The back references to an object.
    func references(to target: ObjectID) -> KeyRange {
        KeyRange(prefix: Keyspace.references(to: target) + Keyspace.bigEndian(classNumber) + Keyspace.bigEndian(number))
    }
}

/// Ranges of an index.
struct IndexScan {
    let index: StoredIndex
    /// In order; they do not overlap.
    let ranges: [KeyRange]
    /// How many of the first properties have a single value.
    let equalCount: Int
    /// The conditions that it answers; empty for none. Made on demand.
    var text: String { makeText() }
    private let makeText: () -> String

    var isByIdentity: Bool { ranges.count <= 1 && equalCount == index.index.properties.count }

    /// The size of the prefix that ends with the values shared by all entries.
    let prefixSize: Int

    init(index: StoredIndex, ranges: [KeyRange], equalCount: Int, text: @autoclosure @escaping () -> String, prefixSize: Int) {
        self.index = index
        self.ranges = ranges
        self.equalCount = equalCount
        makeText = text
        self.prefixSize = prefixSize
    }

    /// - Parameter spans: the spans of each of the first properties. All but the last are single values.
    init(_ index: StoredIndex, _ spans: [KeySpans], _ text: @autoclosure @escaping () -> String) {
        self.index = index
        makeText = text
        guard !index.keys.areHashed else {
            // Queries look only for single values here (``QueryPlanner``), and test all objects found again.
            var values: [[UInt8]] = [[]]
            for spans in spans { values = values.flatMap { value in spans.spans.map { value + $0.lower } } }
            ranges = values.map { KeyRange(prefix: index.keys.bytes(index.number, $0, count: spans.count)) }
            equalCount = spans.prefix { $0.spans.count == 1 }.count
            prefixSize = 0
            return
        }
        var prefixes = [Keyspace.entries(index.number)]
        var equalCount = 0
        var isEqual = true
        prefixSize =
            prefixes[0].count
            + spans.reduce(into: 0) { size, spans in
                if spans.spans.count == 1, spans.spans[0].isPoint, isEqual {
                    equalCount += 1
                    size += spans.spans[0].lower.count
                } else {
                    isEqual = false
                }
            }
        self.equalCount = equalCount
        guard let last = spans.last else {
            ranges = [KeyRange(prefix: prefixes[0])]
            return
        }
        for spans in spans.dropLast() { prefixes = prefixes.flatMap { prefix in spans.spans.map { prefix + $0.lower } } }
        ranges = prefixes.flatMap { prefix in
            last.spans.map { KeyRange(lowerBound: prefix + $0.lower, upperBound: prefix + $0.upper) }
        }
    }
}

extension IndexScan {
    /// Whether it finds objects in the reverse of an order; `nil` if in neither: the properties after those with a single value must be exactly those
    /// sorted by.
    func direction(_ sorts: [(property: String, isDescending: Bool)]) -> Bool? {
        guard !index.keys.areHashed, let first = sorts.first?.isDescending, sorts.allSatisfy({ $0.isDescending == first }) else {
            return nil
        }
        guard index.index.properties.dropFirst(equalCount).elementsEqual(sorts.map(\.property)) else { return nil }
        // Several ranges of one property are in its order. Those of several properties are not, unless there is only one.
        return first
    }
}

extension StoredIndex {
    /// The object of an entry, and where its values end; `nil` if the entry names no object of the class.
    func object(_ key: RawSpan, _ value: RawSpan, _ stored: StoredClass) -> (id: ObjectID, end: Int)? {
        if value.byteCount == 8 {
            let id = ObjectID(raw: Keyspace.number(value, at: 0))
            return id.classNumber == stored.number ? (id, key.byteCount) : nil
        }
        guard key.byteCount >= 11 else { return nil }
        let row = (Keyspace.number(key, at: key.byteCount - 8) as UInt64) & ObjectID.maximumRow
        return (ObjectID(class: stored.number, row: row), key.byteCount - 6)
    }
}

extension QueryAccess {
    /// Calls `body` with each ID, with the values of its entry if `wantsKeys` is true, and with whether a text index proves that it
    /// matches, until `body` returns false.
    ///
    /// - Parameter wantsFew: Whether `body` is expected to return false soon.
    /// - Returns: Whether `body` never returned false.
    @discardableResult
    func forEach(
        _ view: StoreView,
        _ stored: StoredClass,
        isReversed: Bool = false,
        wantsKeys: Bool = false,
        wantsFew: Bool = false,
        _ body: (ObjectID, [UInt8], _ isProven: Bool) -> Bool
    ) throws(ObjectStoreError) -> Bool {
        switch self {
        case .nothing, .everything: return true
        case .rows(let ids, _):
            for id in ids { guard body(id, [], false) else { return false } }
            return true
        case .union(let parts):
            for part in parts {
                guard try part.forEach(view, stored, { id, _, _ in body(id, [], false) }) else { return false }
            }
            return true
        case .text(let scan): return try scan.forEach(view, stored, wantsFew: wantsFew) { body($0, [], $1) }
        case .owners(let targets, let property, _):
            return try Self.entries(targets.map(property.references), view, isReversed) { key, _ in
                guard let id = Keyspace.owner(key) else { return true }
                return body(id, [], false)
            }
        case .targets(let walk): return try walk.forEach(view, isReversed: isReversed) { body($0, wantsKeys ? $1 : [], false) }
        case .index(let scan):
            return try Self.entries(isReversed ? scan.ranges.reversed() : scan.ranges, view, isReversed) { key, value in
                guard let (id, end) = scan.index.object(key, value, stored), end >= scan.prefixSize else { return true }
                return body(id, wantsKeys ? [UInt8](copying: key.extracting(scan.prefixSize..<end)) : [], false)
            }
        }
    }

    private static func entries(
        _ ranges: [KeyRange],
        _ view: StoreView,
        _ isReversed: Bool,
        _ body: (RawSpan, RawSpan) -> Bool
    ) throws(ObjectStoreError) -> Bool {
        var goesOn = true
        try view.lendEntries(inEach: ranges, reverse: isReversed) { _, key, value in
            goesOn = body(key, value)
            return goesOn
        }
        return goesOn
    }

    /// The number of IDs, up to `limit`.
    func count(_ view: StoreView, _ stored: StoredClass, upTo limit: Int) throws(ObjectStoreError) -> Int {
        if findsAll { return try view.objectCount(stored, upTo: limit) }
        var count = 0
        try forEach(view, stored, wantsFew: true) { _, _, _ in
            count += 1
            return count < limit
        }
        return count
    }
}
