/// Rows in columns of equal width, two blanks apart, with left or right alignment.
package struct TextTable {
    package enum Alignment: Sendable { case left, right }

    private let header: [String]
    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// Creates a table with these columns. Columns without an alignment are left-aligned.
    package init(_ header: [String], _ alignments: [Alignment] = []) {
        self.header = header
        self.alignments = header.indices.map { $0 < alignments.count ? alignments[$0] : .left }
    }

    /// Adds a row; it must have as many cells as there are columns.
    package mutating func append(_ row: [String]) {
        precondition(row.count == header.count, "a row of \(row.count) cells in a table of \(header.count) columns")
        rows.append(row)
    }

    /// Returns the lines, without newlines or trailing blanks. A header of empty names has no line.
    package func lines() -> [String] {
        let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
        return ((hasHeader ? [header] : []) + rows).map { line($0, widths) }
    }

    fileprivate var hasHeader: Bool { header.contains { !$0.isEmpty } }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for (column, cell) in cells.enumerated() {
            let blanks = String(repeating: " ", count: widths[column] - cell.count)
            line += (column > 0 ? "  " : "") + (alignments[column] == .right ? blanks + cell : cell + blanks)
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}

extension OutputWriter {
    /// Writes a table, with styles where the output is a terminal.
    package func write(_ table: TextTable, indent: String = "") throws(OutputError) {
        for (index, line) in table.lines().enumerated() {
            try write(indent)
            if index == 0, table.hasHeader { try writeLine(line, .dim) } else { try writeLine(line) }
        }
    }
}
