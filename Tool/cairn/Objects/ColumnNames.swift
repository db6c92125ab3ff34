import ArgumentParser

/// The properties of columns with other names, for `--columns 'Song Title=title,Notes='`.
struct ColumnNames: ExpressibleByArgument {
    /// By column; empty for a column to ignore.
    private(set) var properties: [String: String] = [:]

    init() {}

    init?(argument: String) {
        for pair in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let mark = pair.lastIndex(of: "="), mark > pair.startIndex else { return nil }
            guard properties.updateValue(String(pair[pair.index(after: mark)...]), forKey: String(pair[..<mark])) == nil else { return nil }
        }
    }
}
