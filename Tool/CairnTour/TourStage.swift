import CairnToolKit

/// Prints the tour: numbered sections, each with a sentence, the Swift code, its result, and the time it took.
final class TourStage {
    private let output = OutputWriter(.output)
    private let clock = ContinuousClock()
    private var sections = 0

    /// Shows a section. `body` runs `code` and returns what to show.
    func section(_ title: String, _ sentence: String, code: String..., body: () throws -> TourResult) throws {
        sections += 1
        try output.writeLine("\(sections). \(title)", .bold)
        try output.writeLine("   \(sentence)")
        for line in code {
            try output.write("   ")
            try output.writeLine("> \(line)", .cyan)
        }
        try output.flush()
        let result = try body()
        try output.write(result.table, indent: "     ")
        try output.write("   ")
        try output.writeLine(result.summary, .green)
        try output.writeLine()
        try output.flush()
    }

    /// Shows a line of text.
    func say(_ text: String) throws {
        try output.writeLine(text)
        try output.flush()
    }

    /// Returns the result of `body`, and the time it took.
    func measure<Value>(_ body: () throws -> Value) rethrows -> (value: Value, time: String, duration: Duration) {
        let start = clock.now
        let value = try body()
        let duration = clock.now - start
        return (value, Numbers.duration(duration), duration)
    }
}

/// What a section shows.
struct TourResult {
    var table: TextTable
    var summary: String
}

extension TourData {
    /// The first `items` as a table, with a line for the rest.
    func table(_ items: [Item], atMost count: Int = 5) -> TextTable {
        var table = TextTable(
            [labels.name, labels.group] + (labels.size.map { [$0] } ?? []) + [labels.text],
            labels.size == nil ? [] : [.left, .left, .right]
        )
        for item in items.prefix(count) {
            let size = labels.size == nil ? [] : [item.size.map { Numbers.grouped($0) } ?? "-"]
            table.append([cut(item.name), item.group] + size + [cut(item.text)])
        }
        if items.count > count {
            table.append(["… \(Numbers.grouped(items.count - count)) more", ""] + (labels.size == nil ? [] : [""]) + [""])
        }
        return table
    }

    /// `count` with its noun.
    func counted(_ count: Int) -> String { Numbers.counted(count, String(noun.dropLast()), noun) }

    /// `name`, or a similar one that no group has.
    func unused(_ name: String) -> String { groups[name] == nil ? name : unused(name + "*") }

    /// The text on one line, truncated to `width`.
    func cut(_ text: String, _ width: Int = 48) -> String {
        let line = EscapedText.string(Array(text.utf8))
        return line.count <= width ? line : line.prefix(width - 1) + "…"
    }
}
