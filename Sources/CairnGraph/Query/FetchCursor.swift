import CairnCore

/// A place between two results of a fetch: where the next page begins.
///
/// A cursor can be stored or sent (``description``), and used in another context, process or session. It names the last object of a page by its sort
/// values and identity, so it stays valid if objects, even that one, are inserted, changed or deleted. The cursor shows the sort values, even if
/// the store is encrypted.
public struct FetchCursor: Sendable, Hashable {
    /// The last object.
    let id: ObjectID
    /// The keys of the values that it is sorted by.
    let keys: [[UInt8]]
    /// Distinguishes cursors of different orders.
    let order: UInt32

    init(id: ObjectID, keys: [[UInt8]], order: UInt32) {
        self.id = id
        self.keys = keys
        self.order = order
    }
}

extension FetchCursor: LosslessStringConvertible {
    /// The cursor as text of hexadecimal digits.
    public var description: String {
        var bytes = Keyspace.bigEndian(order) + Keyspace.bigEndian(id.raw)
        for key in keys { bytes += Keyspace.bigEndian(UInt32(key.count)) + key }
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Parses a ``description``; `nil` for other text.
    public init?(_ description: String) {
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in description.utf8 {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        guard high == nil, bytes.count >= 12 else { return nil }
        order = bytes[..<4].reduce(0) { $0 << 8 | UInt32($1) }
        id = ObjectID(raw: bytes[4..<12].reduce(0) { $0 << 8 | UInt64($1) })
        var rest = bytes[12...]
        var keys: [[UInt8]] = []
        while !rest.isEmpty {
            let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 4 + count else { return nil }
            keys.append(Array(rest.dropFirst(4).prefix(count)))
            rest = rest.dropFirst(4 + count)
        }
        self.keys = keys
    }
}

extension FetchCursor: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let cursor = FetchCursor(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a fetch cursor")
        }
        self = cursor
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Some of the results of a fetch, and where the next ones begin.
public struct FetchedPage<Object: StoredObject> {
    /// The objects, in order.
    public let objects: [Object]
    /// Where the next page begins; `nil` after the last object.
    public let next: FetchCursor?
}

extension SortOrder {
    /// A checksum that distinguishes this order of a class from others.
    func mark(_ type: any StoredObject.Type) -> UInt32 {
        var checksum = CRC32C()
        // The text of a key path of a computed property differs between processes.
        let names = sorts.map { $0.property.index != nil || $0.property.path != nil ? $0.property.name : "?" }
        let text = "\(type.objectSchema.name)\n" + zip(sorts, names).map { "\($0.isDescending ? "-" : "+")\($1)\n" }.joined()
        text.withBytes { checksum.update($0) }
        return checksum.value
    }
}

extension ObjectContext {
    /// Returns the first objects that meet a condition, or those after a cursor: the next page of a list.
    ///
    /// ```swift
    /// let page = try context.fetchPage(Song.self, sortedBy: [.ascending(\.title)], limit: 100)
    /// let next = try context.fetchPage(Song.self, sortedBy: [.ascending(\.title)], limit: 100, after: page.next)
    /// ```
    ///
    /// Unlike with an offset, the objects before the cursor are not counted, and none is returned twice or left out because others were inserted or
    /// deleted before it. An object whose sort values change meanwhile can be returned twice or not at all.
    ///
    /// - Parameters:
    ///   - type: The class. Only its objects are found.
    ///   - condition: The condition that objects must meet; by default, all are fetched.
    ///   - sorts: The order of the results; by default, the order in which the objects were inserted.
    ///   - limit: The maximum number of results, at least 1.
    ///   - cursor: The ``FetchedPage/next`` of the previous page, fetched with the same condition and order; `nil`: the first page.
    /// - Throws: As `fetch`; `invalidPredicate` for a limit below 1, or a cursor of another class or order.
    /// - Complexity: With an index in this order, O(log n) plus the cost of the page, wherever the page is.
    public func fetchPage<Object: StoredObject>(
        _ type: Object.Type = Object.self,
        where condition: ObjectCondition<Object>? = nil,
        sortedBy sorts: [ObjectSort<Object>] = [],
        limit: Int,
        after cursor: FetchCursor? = nil
    ) throws(ObjectStoreError) -> FetchedPage<Object> {
        guard limit > 0 else { throw ObjectStoreError(.invalidPredicate, "a page needs a limit of at least 1") }
        let mark = SortOrder(sorts: sorts.map(\.part)).mark(type)
        guard cursor.map({ $0.order == mark && $0.keys.count == sorts.count }) ?? true else {
            throw ObjectStoreError(.invalidPredicate, "the page cursor belongs to another class, or to a fetch with a different order")
        }
        let (run, found) = try store.calls.measure(.fetch, type, count: { $1.count }) { () throws(ObjectStoreError) in
            let run = try query(
                type,
                condition?.condition ?? .always(true),
                sorts.map(\.part),
                isBounded: true,
                after: cursor,
                wantsObjects: true
            )
            // One more shows whether there is another page.
            return (run, try run.matches(limit: limit == .max ? limit : limit + 1))
        }
        let objects = found.prefix(limit).compactMap { match in match.object.map { unsafe unsafeDowncast($0, to: Object.self) } }
        guard found.count > limit, let last = found.prefix(limit).last, let object = objects.last else {
            return FetchedPage(objects: objects, next: nil)
        }
        return FetchedPage(objects: objects, next: FetchCursor(id: last.id, keys: run.keys(object), order: mark))
    }
}
