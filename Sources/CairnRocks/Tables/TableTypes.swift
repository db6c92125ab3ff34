import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The names of the types that a table's keys and values are stored as; `nil` if unknown.
package struct TableTypes: Codable, Hashable, Sendable {
    /// The types of the key's elements, separated by commas: `string,int?`.
    package var key: String?
    package var value: String?

    package init(key: String?, value: String?) {
        self.key = key
        self.value = value
    }

    package var isEmpty: Bool { key == nil && value == nil }
}

extension TableTypes {
    init<Key, Value>(_ keys: KeyCodec<Key>, _ values: ValueCodec<Key, Value>) {
        self.init(key: keys.elementNames, value: values.type?.description)
    }
}

/// The file in a database's directory that says what its tables contain; docs/formats/table-types.md describes it.
package enum TableTypesFile {
    package static let name = "cairn-tables.json"
    private static let version = 1
    /// A larger file is not one of Cairn's.
    private static let largestSize = 1 << 20

    private struct Content: Codable {
        var version: Int
        var tables: [String: TableTypes]
    }

    /// The file is damaged, or is a file of another kind.
    package struct Unreadable: Error {}

    /// Returns the types of the tables, by the names of their column families; none if there is no file.
    ///
    /// - Throws: ``Unreadable``, or `FileError` if the file cannot be read.
    package static func read(in directory: String) throws -> [String: TableTypes] {
        let file: File
        do {
            file = try File(FileSystem.join(directory, name), [.read])
        } catch {
            guard [.notFound, .notADirectory].contains(error.code) else { throw error }
            return [:]
        }
        let size = try file.statusOfFile().size
        guard size <= largestSize, let content = try? JSONDecoder().decode(Content.self, from: Data(file.read(Int(size), at: 0))),
            content.version == version
        else { throw Unreadable() }
        return content.tables
    }

    /// Replaces the file; without tables, removes it.
    static func write(_ tables: [String: TableTypes], in directory: String, durability: Durability = .buffered) throws {
        let path = FileSystem.join(directory, name)
        guard !tables.isEmpty else { return try FileSystem.system.unlink(path) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let json = try encoder.encode(Content(version: version, tables: tables))
        try FileSystem.system.replaceFile(at: path, with: json, durability: durability)
    }

    /// Removes the file, and the directory if it is then empty.
    static func remove(in directory: String) {
        guard (try? FileSystem.system.unlink(FileSystem.join(directory, name))) != nil else { return }
        try? FileSystem.system.rmdir(directory)
    }
}
