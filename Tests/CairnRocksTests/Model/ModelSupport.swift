import CairnCore
import CairnRocks
import CairnTestSupport

/// A column family as a dictionary with an order.
struct ModelFamily: Sendable {
    /// Negative: the first key comes first.
    typealias Order = @Sendable (_ first: [UInt8], _ second: [UInt8]) -> Int

    var rows: [[UInt8]: [UInt8]] = [:]
    let order: Order

    static func bytewise(_ first: [UInt8], _ second: [UInt8]) -> Int {
        first == second ? 0 : first.lexicographicallyPrecedes(second) ? -1 : 1
    }

    /// Keys of `range` as a cursor walks over them.
    func keys(_ range: ModelRange) -> [[UInt8]] {
        let sign = range.reversed ? -1 : 1
        return rows.keys.filter { key in
            if let prefix = range.prefix { return key.starts(with: prefix) }
            if let start = range.start, sign * order(key, start) < 0 { return false }
            if let end = range.end, sign * order(key, end) >= 0 { return false }
            return true
        }.sorted { sign * order($0, $1) < 0 }
    }

    /// Performs a write, or returns the code it must fail with.
    mutating func perform(_ write: ModelWrite) -> RocksError.Code? {
        switch write {
        case .put(let key, let value): rows[modelKeys[key]] = Array("\(value)".utf8)
        case .delete(let key): rows[modelKeys[key]] = nil
        case .merge(let key, let value):
            let old = rows[modelKeys[key]]
            rows[modelKeys[key]] = (old.map { $0 + [44] } ?? []) + Array("\(value)".utf8)
        case .deleteRange(let start, let end):
            let start = modelKeys[start], end = modelKeys[end]
            guard order(start, end) <= 0 else { return .invalidArgument }
            for key in rows.keys where order(key, start) >= 0 && order(key, end) < 0 { rows[key] = nil }
        }
        return nil
    }
}

/// Keys that share prefixes, among them the empty one and the highest bytes.
let modelKeys: [[UInt8]] = [
    [], [0], [0, 0], [97], [97, 97], [97, 97, 98], [97, 98], [98], [98, 97, 97], [0xFE, 0xFF], [0xFF], [0xFF, 0xFF], [0xFF, 0xFF, 97],
]

/// A write; keys are indices into `modelKeys`.
enum ModelWrite: Sendable {
    case put(Int, Int), delete(Int), merge(Int, Int), deleteRange(Int, Int)

    static func random(_ generator: inout SeededGenerator) -> ModelWrite {
        let key = generator.int(in: 0..<modelKeys.count), value = generator.int(in: 0..<100)
        return switch generator.int(in: 0..<8) {
        case 0...3: .put(key, value)
        case 4: .delete(key)
        case 5...6: .merge(key, value)
        default: .deleteRange(key, generator.int(in: 0..<modelKeys.count))
        }
    }

    func perform(on writer: some RocksWriter) throws(RocksError) {
        switch self {
        case .put(let key, let value): try writer.put("\(value)", for: modelKeys[key])
        case .delete(let key): try writer.delete(modelKeys[key])
        case .merge(let key, let value): try writer.merge("\(value)", for: modelKeys[key])
        case .deleteRange(let start, let end): try writer.deleteRange(from: modelKeys[start], to: modelKeys[end])
        }
    }
}

/// A range; bounds are indices into `modelKeys`, negative for none.
struct ModelRange: Sendable, CustomStringConvertible {
    var from: Int, to: Int, with: Int, reversed: Bool

    init(_ from: Int, _ to: Int, prefix: Int = -1, reversed: Bool) {
        (self.from, self.to, self.with, self.reversed) = (from, to, prefix, reversed)
    }

    static func random(_ generator: inout SeededGenerator) -> ModelRange {
        var bound: Int { generator.oneIn(3) ? -1 : generator.int(in: 0..<modelKeys.count) }
        if generator.oneIn(3) { return ModelRange(-1, -1, prefix: generator.int(in: 0..<modelKeys.count), reversed: generator.oneIn(2)) }
        return ModelRange(bound, bound, reversed: generator.oneIn(2))
    }

    var start: [UInt8]? { from < 0 ? nil : modelKeys[from] }
    var end: [UInt8]? { to < 0 ? nil : modelKeys[to] }
    var prefix: [UInt8]? { with < 0 ? nil : modelKeys[with] }

    var range: ScanRange {
        let range: ScanRange =
            switch (start, end, prefix) {
            case (_, _, let prefix?): .prefix(prefix)
            case (let start?, let end?, _): .from(start, to: end)
            case (let start?, nil, _): .from(start)
            case (nil, let end?, _): .to(end)
            case (nil, nil, nil): .all
            }
        return reversed ? range.reversed : range
    }

    var description: String { "ModelRange(\(from), \(to), prefix: \(with), reversed: \(reversed))" }
}

/// A move of a cursor; keys are indices into `modelKeys`.
enum ModelMove: Sendable {
    case next, previous, first, last, seek(Int), seekToOrBefore(Int)

    static func random(_ generator: inout SeededGenerator) -> ModelMove {
        switch generator.int(in: 0..<9) {
        case 0...2: .next
        case 3...4: .previous
        case 5: .first
        case 6: .last
        case 7: .seek(generator.int(in: 0..<modelKeys.count))
        default: .seekToOrBefore(generator.int(in: 0..<modelKeys.count))
        }
    }

    /// The key that the store's cursor arrives at.
    func perform(_ cursor: inout Cursor) throws(RocksError) -> [UInt8]? {
        switch self {
        case .next: try cursor.next()?.key(as: [UInt8].self)
        case .previous: try cursor.previous()?.key(as: [UInt8].self)
        case .first: try cursor.first()?.key(as: [UInt8].self)
        case .last: try cursor.last()?.key(as: [UInt8].self)
        case .seek(let key): try cursor.seek(to: modelKeys[key])?.key(as: [UInt8].self)
        case .seekToOrBefore(let key): try cursor.seek(toOrBefore: modelKeys[key])?.key(as: [UInt8].self)
        }
    }

    /// The position among `keys`, -1 before the first and `keys.count` behind the last, that the move leads to.
    func perform(_ position: Int, _ keys: [[UInt8]], _ precedes: ([UInt8], [UInt8]) -> Bool) -> Int {
        switch self {
        case .next: min(position + 1, keys.count)
        case .previous: max(position - 1, -1)
        case .first: 0
        case .last: keys.count - 1
        case .seek(let key): keys.firstIndex { !precedes($0, modelKeys[key]) } ?? keys.count
        case .seekToOrBefore(let key): keys.lastIndex { !precedes(modelKeys[key], $0) } ?? -1
        }
    }
}
