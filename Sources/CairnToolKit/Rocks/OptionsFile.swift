/// What an `OPTIONS-*` file says, which RocksDB writes whenever a database is opened for writing or its options change.
package struct OptionsFile: Sendable {
    /// Options of the whole database, by name.
    package private(set) var database: [String: String] = [:]
    /// Options of each column family, by name.
    package private(set) var columnFamilies: [String: [String: String]] = [:]
    /// Options of each column family's block-based table, by name.
    package private(set) var tables: [String: [String: String]] = [:]

    private enum Section { case database, columnFamily(String), table(String), other }

    /// Reads the file's text; lines that follow no rule are passed over.
    package init(text: String) {
        var section = Section.other
        for rawLine in text.split(whereSeparator: \.isNewline) {
            let line = Self.trimmed(rawLine)
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                section = Self.section(line.dropFirst().dropLast())
                continue
            }
            guard let equals = line.firstIndex(of: "=") else { continue }
            let name = String(Self.trimmed(line[..<equals]))
            let value = Self.unescaped(Self.trimmed(line[line.index(after: equals)...]))
            switch section {
            case .database: database[name] = value
            case .columnFamily(let family): columnFamilies[family, default: [:]][name] = value
            case .table(let family): tables[family, default: [:]][name] = value
            case .other: break
            }
        }
    }

    /// The newest of the files with these names; `nil` if none is an options file.
    package static func newest(of names: [String]) -> String? {
        names.compactMap { name in
            name.hasPrefix("OPTIONS-") ? UInt64(name.dropFirst("OPTIONS-".count)).map { (number: $0, name: name) } : nil
        }.max { $0.number < $1.number }?.name
    }

    /// Those of `settings` that have a default, and another value.
    package static func changes(_ settings: [String: String], from defaults: [String: String]) -> [String: String] {
        settings.filter { name, value in
            guard let normal = defaults[name] else { return false }
            // RocksDB writes braces around nested options in files only.
            return value != normal && value != "{\(normal)}"
        }
    }

    private static func section(_ title: Substring) -> Section {
        let parts = title.split(separator: " ", maxSplits: 1)
        // The name in quotes, with the same escapes as values.
        let name = parts.count > 1 ? unescaped(parts[1].dropFirst().dropLast()) : ""
        return switch parts.first {
        case "DBOptions": .database
        case "CFOptions": .columnFamily(name)
        case "TableOptions/BlockBasedTable": .table(name)
        default: .other
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop(while: \.isWhitespace)
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return start[...end]
    }

    /// Undoes RocksDB's escapes: a backslash before `\`, `#`, `:`, `r` (a carriage return) and `n` (a newline).
    private static func unescaped(_ text: Substring) -> String {
        var result = ""
        var isEscaped = false
        for character in text {
            if isEscaped {
                result.append(character == "n" ? "\n" : character == "r" ? "\r" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        return result
    }
}
