import CairnCore

/// RocksDB's options file: sections in square brackets, one setting per line.
package struct OptionsFile: Sendable {
    /// The path that it was read from.
    let path: String
    var libraryVersion = ""
    package var database: [String: String] = [:]
    /// The column families in the file's order, `default` first.
    package var families: [Family] = []

    package struct Family: Sendable {
        package let name: String
        package var settings: [String: String] = [:]
        /// The name of the format and its settings.
        package var table: (format: String, settings: [String: String]) = ("", [:])
    }

    /// Reads the options file with the highest number of the database at `path`.
    ///
    /// - Throws: ``RocksError/Code/notFound`` if there is no database, or if it has no such file; otherwise same as ``init(path:)``.
    package init(ofDatabaseAt path: String) throws(RocksError) {
        try checkForZeroByte(in: path, "path")
        // A program that opens the database at the same time replaces the file; the next one then exists.
        for _ in 0..<8 {
            let names = (try? FileSystem.system.list(path)) ?? []
            guard names.contains("CURRENT") else { throw RocksError(.notFound, "there is no database at '\(path)'") }
            let numbered = names.compactMap { name -> (number: UInt64, name: String)? in
                guard name.hasPrefix("OPTIONS-"), let number = UInt64(name.dropFirst(8)) else { return nil }
                return (number, name)
            }
            guard let latest = numbered.max(by: { $0.number < $1.number }) else {
                throw RocksError(.notFound, "the database at '\(path)' has no options file; opening it for writing creates one")
            }
            do throws(RocksError) {
                self = try OptionsFile(path: path + "/" + latest.name)
                return
            } catch {
                guard error.code == .notFound else { throw error }
            }
        }
        throw RocksError(.ioError, "the options of the database at '\(path)' were replaced each time before they could be read")
    }

    /// Reads a file.
    ///
    /// - Throws: ``RocksError/Code/corruption`` if it is not an options file or is truncated; ``RocksError/Code/notFound``;
    ///   ``RocksError/Code/ioError``.
    init(path: String) throws(RocksError) {
        self.path = path
        func damaged(_ what: String) -> RocksError { RocksError(.corruption, "'\(path)' is not a RocksDB options file: \(what)") }
        var section = ""
        for raw in try readText(path).utf8.split(separator: UInt8(ascii: "\n")) {
            let line = Self.withoutComment(Substring(raw)).trimmed
            if line.isEmpty { continue }
            if line.hasPrefix("[") {
                guard line.hasSuffix("]") else { throw damaged("'\(line)' begins a section but does not end it") }
                section = String(line.dropFirst().dropLast())
                if section.hasPrefix("CFOptions") { families.append(Family(name: Self.quoted(section))) }
                continue
            }
            guard let mark = line.firstIndex(of: "=") else { throw damaged("'\(line)' is not a setting") }
            let name = String(line[..<mark]).trimmed
            let value = Self.unescaped(String(line[line.index(after: mark)...]).trimmed)
            switch section {
            case "Version": if name == "rocksdb_version" { libraryVersion = value }
            case "DBOptions": database[name] = value
            default:
                guard !families.isEmpty else { throw damaged("'\(line)' is in no section") }
                let last = families.count - 1
                if section.hasPrefix("CFOptions") {
                    families[last].settings[name] = value
                } else if section.hasPrefix("TableOptions/"), Self.quoted(section) == families[last].name {
                    families[last].table.format = String(section.dropFirst(13).prefix { $0 != " " })
                    families[last].table.settings[name] = value
                }
            }
        }
        guard !libraryVersion.isEmpty, !database.isEmpty, families.first?.name == "default" else {
            throw damaged("it lacks the version, the options of the database, or those of the column family 'default'")
        }
    }

    /// Creates contents for a new file.
    init() { path = "" }

    /// The file's text.
    var text: String {
        var lines = [
            "# Options in RocksDB's format.", "", "[Version]", "  rocksdb_version=\(libraryVersion)", "  options_file_version=1.1", "",
            "[DBOptions]",
        ]
        lines += Self.lines(database)
        for family in families {
            lines += ["", "[CFOptions \"\(Self.escaped(family.name))\"]"] + Self.lines(family.settings)
            lines += ["", "[TableOptions/\(family.table.format) \"\(Self.escaped(family.name))\"]"] + Self.lines(family.table.settings)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(_ settings: [String: String]) -> [String] {
        settings.sorted { $0.key < $1.key }.map { "  \($0.key)=\(escaped($0.value))" }
    }

    /// The text between the first quotation mark and the last: names may contain quotation marks.
    private static func quoted(_ section: String) -> String {
        guard let first = section.firstIndex(of: "\""), let last = section.lastIndex(of: "\""), first < last else { return "" }
        return unescaped(String(section[section.index(after: first)..<last]))
    }

    private static func withoutComment(_ line: Substring) -> String {
        var kept = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in line.unicodeScalars {
            if scalar == "#", !isEscaped { break }
            isEscaped = scalar == "\\" && !isEscaped
            kept.append(scalar)
        }
        return String(kept)
    }

    private static func unescaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                result.append(scalar == "n" ? "\n" : (scalar == "r" ? "\r" : scalar))
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\\", "#": result += "\\" + String(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// The text of a file.
private func readText(_ path: String) throws(RocksError) -> String {
    try checkForZeroByte(in: path, "path")
    do throws(FileError) {
        let file = try File(path, [.read])
        let size = try file.status().size
        return String(decoding: try file.read(Int(size), at: 0), as: UTF8.self)
    } catch {
        throw RocksError(error)
    }
}

extension String {
    /// The text without whitespace at either end.
    fileprivate var trimmed: String {
        func isBlank(_ character: Character?) -> Bool { character == " " || character == "\t" || character == "\r" || character == "\r\n" }
        var text = self[...]
        while isBlank(text.first) { text.removeFirst() }
        while isBlank(text.last) { text.removeLast() }
        return String(text)
    }
}
