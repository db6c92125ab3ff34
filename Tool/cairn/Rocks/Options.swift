import ArgumentParser
import CairnRocks
import CairnToolKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Rocks {
    struct Options: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the options of a database, or the library's defaults.",
            discussion: "The options of a database are those in effect when it was last open for writing."
        )

        @Argument(help: "The directory of the database.", completion: .directory) var path: String?
        @Flag(help: "Show the defaults of the installed library.") var defaults = false
        @Flag(help: "Show only options that differ from the defaults and from those of a new database.") var changed = false
        @Flag(help: "Print a JSON object.") var json = false

        func validate() throws {
            if (path == nil) != defaults { throw ValidationError("Give either a database or --defaults.") }
            if defaults && changed { throw ValidationError("--changed cannot be combined with --defaults.") }
        }

        func run() throws {
            let sections =
                try path.map(storedSections) ?? [
                    Section(kind: .database, settings: DatabaseOptions.defaults),
                    Section(kind: .columnFamily, settings: ColumnFamilyOptions.defaults),
                    Section(kind: .table, settings: TableOptions.defaults),
                ]
            try printing { output in
                if json { return try output.write(.array(sections.map(\.json))) }
                for (index, section) in sections.enumerated() {
                    if index > 0 { try output.writeLine() }
                    try output.writeLine(section.title, .bold)
                    var table = TextTable(["", ""])
                    for (name, value) in section.sorted { table.append([name, value]) }
                    try output.write(table, indent: "  ")
                }
            }
        }

        private func storedSections(_ path: String) throws -> [Section] {
            let opener = DatabaseOpener(path: path)
            _ = try opener.checkPath()
            guard let stored = try opener.storedOptions() else {
                throw Failure(
                    .database,
                    "'\(path)' has no options file.",
                    hint: "RocksDB writes one when the database is opened for writing."
                )
            }
            var sections = [Section(kind: .database, settings: stored.database)]
            for name in try RocksDB.columnFamilyNames(path: path) {
                let family = stored.families.first { $0.name == name }
                sections.append(Section(kind: .columnFamily, name: name, settings: family?.settings ?? [:]))
                sections.append(Section(kind: .table, name: name, settings: family?.table.settings ?? [:]))
            }
            guard changed else { return sections }
            // Without a place for it, more is listed.
            let fresh = try? Self.fresh()
            return sections.map { $0.changes(from: fresh) }.filter { !$0.settings.isEmpty }
        }

        /// The stored options of a new database. Some differ from the defaults although nobody has changed them: RocksDB computes them from others.
        private static func fresh() throws -> OptionsFile {
            let path = FileManager.default.temporaryDirectory.path + "/cairn-options-" + UUID().uuidString
            defer { try? FileManager.default.removeItem(atPath: path) }
            // What opening creates is not kept.
            var options = DatabaseOptions(createIfMissing: true)
            options.createMissingColumnFamilies = true
            try RocksDB(path: path, options: options).close()
            guard let stored = try DatabaseOpener(path: path).storedOptions() else {
                throw Failure(.database, "'\(path)' has no options file.")
            }
            return stored
        }
    }
}

/// One set of options.
private struct Section {
    enum Kind: String {
        case database = "database"
        case columnFamily = "column family"
        case table = "table"
    }

    let kind: Kind
    /// The name of the column family; `nil` for defaults and the database.
    var name: String?
    var settings: [String: String]

    var title: String { kind.rawValue + (name.map { " \(kind == .table ? "of " : "")'\($0)'" } ?? "") }

    var sorted: [(key: String, value: String)] { settings.sorted { $0.key < $1.key } }

    /// Without options that have their default, or the value that a new database has.
    func changes(from fresh: OptionsFile?) -> Section {
        var section = self
        let family = fresh?.families.first
        let (changed, unchanged) =
            switch kind {
            case .database: (DatabaseOptions.changes(settings).settings, fresh?.database ?? [:])
            case .columnFamily: (ColumnFamilyOptions.changes(settings).settings, family?.settings ?? [:])
            case .table: (TableOptions.changes(settings).settings, family?.table.settings ?? [:])
            }
        section.settings = changed.filter { unchanged[$0.key] != $0.value }
        return section
    }

    var json: JSONValue {
        var fields: [(String, JSONValue)] = [("section", .string(kind.rawValue))]
        if let name { fields.append(("column_family", .string(name))) }
        fields.append(("options", .object(sorted.map { ($0.key, .string($0.value)) })))
        return .object(fields)
    }
}
