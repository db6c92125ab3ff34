/// How a table is stored in a constant database:
///
/// | record | key | value |
/// | --- | --- | --- |
/// | the first | empty | `cairn table 1`, the number of rows, and the columns, separated by single spaces |
/// | each other, in the order of the rows | the text of the first column | the other columns, as elements of the FoundationDB tuple layer |
///
/// `docs/formats/cdb-table.md` describes it.
package enum CDBTableFormat {
    private static let beginning = "cairn table 1 "

    /// Returns the value of the first record.
    package static func header(count: Int, columns: String) -> String { "\(beginning)\(count) \(columns)" }

    /// Returns the number of rows and the columns; `nil` if this is not the header of a table.
    package static func parse(header: String) -> (count: Int, columns: String)? {
        guard header.hasPrefix(beginning) else { return nil }
        let parts = header.dropFirst(beginning.count).split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[0]), count >= 0 else { return nil }
        return (count, String(parts[1]))
    }
}
