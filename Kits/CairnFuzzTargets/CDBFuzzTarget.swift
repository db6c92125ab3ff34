import CairnCDB
import CairnCore

/// Constant databases: any bytes are read or refused, and a file in which no damage is found holds together.
public struct CDBFuzzTarget: FuzzTarget {
    public static let name = "cdb"

    public init() throws {}

    /// The first byte chooses the layout, and what the rest is: a file, or changes to one that is sound.
    public func check(_ bytes: RawSpan) throws {
        let all = [UInt8](copying: bytes)
        guard let choice = all.first.map(Int.init) else { return }
        let dialect = CDBDialect.allCases[choice % 3]
        let rest = Array(all.dropFirst())
        let file = choice & 64 == 0 ? rest : Self.changed(Self.sound(dialect), by: rest)
        let reader: CDBReader
        do { reader = try CDBReader(bytes: file, dialect: dialect) } catch { return }

        let keys: [[UInt8]] = [[], Array("a".utf8), Array("b".utf8), Array("key".utf8), Array(rest.prefix(3)), [0], [0xFF, 0xFF]]
        for key in keys { try checkLookUps(of: key, in: reader) }
        _ = try? reader.multiGet(keys)
        let isSound: Bool
        do {
            try reader.verify()
            isSound = true
        } catch {
            isSound = false
        }
        do {
            let entries = try reader.entries()
            try require(try reader.count == entries.count, "there are \(entries.count) records, and another number is counted")
            var lent = 0
            try reader.forEach { key, value in
                lent += 1
                try require(key.byteCount + value.byteCount <= file.count, "a record is longer than the file")
            }
            try require(lent == entries.count, "\(lent) records are lent, \(entries.count) copied")
            let statistics = try reader.statistics()
            try require(statistics.recordCount == UInt64(entries.count), "statistics count \(statistics.recordCount) records")
            guard isSound else { return }
            for (key, value) in entries where !key.isEmpty {
                try require(try reader.values(for: key).contains(value), "a record cannot be looked up in a file that is sound")
            }
        } catch let error as CDBError {
            try require(!isSound, "a file that is sound cannot be read: \(error)")
        }
    }

    /// All ways to look up a key agree.
    private func checkLookUps(of key: [UInt8], in reader: CDBReader) throws {
        do {
            let first = try reader.get(key)
            try require(try reader.contains(key) == (first != nil), "a key is there and is not")
            try require(try reader.multiGet([key]) == [first], "a batch finds another value")
            try require(try reader.get(key, at: 0) == first, "the first value is not value number 0")
            let values = try reader.values(for: key)
            try require(values.first == first, "the first of all values is not the value")
            try require(try reader.valueCount(for: key) == values.count, "there are \(values.count) values, and another number is counted")
        } catch is CDBError {}
    }

    /// Places and bytes to put there, three bytes each.
    private static func changed(_ file: [UInt8], by changes: [UInt8]) -> [UInt8] {
        var file = file
        for change in stride(from: 0, to: changes.count - 2, by: 3) {
            file[(Int(changes[change]) << 8 | Int(changes[change + 1])) % file.count] = changes[change + 2]
        }
        return file
    }

    /// Records of the keys `a`, `b`, `a`, and the empty one, with tables of their own.
    private static func sound(_ dialect: CDBDialect) -> [UInt8] {
        let width = dialect == .standard ? 4 : 8
        func number(_ value: Int) -> [UInt8] { (0..<width).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> ($0 * 8)) : 0 } }
        var data: [UInt8] = []
        var slots: [Int: [(hash: Int, position: Int)]] = [:]
        for (key, value) in [("a", "1"), ("b", "22"), ("a", ""), ("", "4444")] {
            let hash = key.utf8.reduce(5381) { ($0 &* 33) ^ Int($1) }
            slots[hash & 0xFF, default: []].append((hash, 512 * width + data.count))
            data += number(key.utf8.count) + number(value.utf8.count) + Array(key.utf8) + Array(value.utf8)
        }
        var header: [UInt8] = []
        var tables: [UInt8] = []
        for table in 0..<256 {
            let records = slots[table] ?? []
            let count = 2 * records.count
            header += number(512 * width + data.count + tables.count) + number(count)
            var placed = [(hash: Int, position: Int)?](repeating: nil, count: count)
            for record in records {
                var slot = (record.hash >> 8) % count
                while placed[slot] != nil { slot = (slot + 1) % count }
                placed[slot] = record
            }
            for slot in placed { tables += number(slot?.hash ?? 0) + number(slot?.position ?? 0) }
        }
        return header + data + tables
    }
}
