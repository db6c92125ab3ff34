import CairnCore
import CairnRocks
import CairnToolKit

extension RocksChapter {
    func rangeScan() throws {
        let (start, end) = data.letterRange
        try stage.section(
            "Scan a range",
            "Keys are sorted, so a range is a walk from the first bound up to, but not including, the second.",
            code: "try items.entries(.from(\"\(start)\", to: \"\(end)\"))"
        ) {
            let (found, time, _) = try stage.measure { try items.entries(.from(start, to: end)) }
            let share = "\(Numbers.grouped(found.count)) of \(Numbers.grouped(data.items.count))"
            return TourResult(table: data.table(found.map(\.value)), summary: "\(share) in \(time)")
        }
    }

    func prefixScan() throws {
        let prefix = data.commonPrefix
        try stage.section(
            "Scan a prefix",
            "All keys with the same beginning, here in reverse order.",
            code: "try items.entries(.keys(.strings(startingWith: \"\(prefix)\")).reversed)"
        ) {
            let (found, time, _) = try stage.measure { try items.entries(.keys(.strings(startingWith: prefix)).reversed) }
            let share = "\(Numbers.grouped(found.count)) of \(Numbers.grouped(data.items.count))"
            return TourResult(table: data.table(found.map(\.value)), summary: "\(share) in \(time)")
        }
    }

    func snapshot() throws {
        let prefix = data.commonPrefix
        let range = TableRange<String>.keys(.strings(startingWith: prefix))
        try stage.section(
            "Take a snapshot",
            "It keeps showing the same state, whatever happens later; here, everything that begins with \"\(prefix)\" is deleted.",
            code: "let before = try db.makeSnapshot()",
            "try before.in(items).count(range)"
        ) {
            let (before, time, _) = try stage.measure { try db.makeSnapshot() }
            defer { before.close() }
            for name in try items.keys(range) { try items.delete(name) }
            var table = TextTable(["", "\"\(prefix)\"", "all"], [.left, .right, .right])
            table.append(["database", Numbers.grouped(try items.count(range)), Numbers.grouped(try items.count())])
            table.append(["snapshot", Numbers.grouped(try before.in(items).count(range)), Numbers.grouped(try before.in(items).count())])
            // Put back what only the snapshot still has.
            try before.in(items).forEach(range) { name, item in try items.put(item, for: name) }
            table.append(["database, restored from it", Numbers.grouped(try items.count(range)), Numbers.grouped(try items.count())])
            return TourResult(table: table, summary: "snapshot taken in \(time)")
        }
    }
}

extension TourData {
    /// A letter and its successor, with some names between them, but not too many.
    var letterRange: (start: String, end: String) {
        var counts: [Unicode.Scalar: Int] = [:]
        for item in items { if let first = item.name.unicodeScalars.first { counts[first, default: 0] += 1 } }
        let fitting = counts.min { abs($0.value - 12) == abs($1.value - 12) ? $0.key < $1.key : abs($0.value - 12) < abs($1.value - 12) }
        let start = fitting?.key ?? "a"
        // The scalar after the last one before the surrogates is the first one after them.
        let end = Unicode.Scalar(start.value + 1) ?? Unicode.Scalar(min(start.value + 0x801, 0x10FFFF)) ?? "\u{10FFFF}"
        return (String(Character(start)), String(Character(end)))
    }

    /// The most frequent beginning of names, up to a separator; otherwise the most frequent first letter.
    var commonPrefix: String {
        var counts: [String: Int] = [:]
        for item in items {
            guard let separator = item.name.firstIndex(where: { "-/_ .:@".contains($0) }) else { continue }
            counts[String(item.name[...separator]), default: 0] += 1
        }
        if counts.values.max() ?? 0 < 2 {
            counts = [:]
            for item in items { counts[String(item.name.prefix(1)), default: 0] += 1 }
        }
        return counts.max { $0.value == $1.value ? $0.key > $1.key : $0.value < $1.value }?.key ?? ""
    }
}
