import CairnCore
import CairnRocks
import Foundation
import Testing

/// What a database is opened with.
struct OptionSetup {
    var database = DatabaseOptions(createIfMissing: true)
    var family = ColumnFamilyOptions()

    /// Opens a database in a directory of its own, which is deleted afterwards.
    func open<Value>(_ body: (RocksDB) throws -> Value) throws -> Value {
        try withDirectory { directory in
            let db = try RocksDB(path: directory + "/db", options: database, columnFamilyOptions: family)
            let value = try body(db)
            try db.close()
            return value
        }
    }
}

/// A new directory, deleted afterwards.
func withDirectory<Value>(_ body: (String) throws -> Value) throws -> Value {
    let directory = NSTemporaryDirectory() + "cairn-options-\(UUID())"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    return try body(directory)
}

/// Whether the installed library is older than this.
func isLibrary(before major: Int, _ minor: Int) -> Bool {
    let version = RocksDB.libraryVersion.split(separator: ".").compactMap { Int($0) }
    return version.lexicographicallyPrecedes([major, minor])
}

/// One option: RocksDB's name, the typed property, and a value to try, erased to closures.
struct OptionCase: Sendable, CustomTestStringConvertible {
    enum Kind { case database, family, table }

    let name: String
    let kind: Kind
    /// Sets the value through the property, and what it needs beside it.
    let set: @Sendable (inout OptionSetup) -> Void
    /// Whether the property returns the value, from the text that was set.
    let returnsValue: @Sendable (OptionSetup) -> Bool
    /// Whether the property returns the expected value, from RocksDB's text.
    let understands: @Sendable (_ text: String) -> Bool
    /// The text that the property sets for its default value.
    let defaultText: @Sendable () -> String?
    /// Whether opening must throw, because RocksDB would end the process.
    var isRefused = false
    var fileSystemMayRefuse = false

    var testDescription: String { name }

    static func database<Value: Equatable & Sendable>(
        _ name: String,
        _ path: any WritableKeyPath<DatabaseOptions, Value> & Sendable,
        _ value: Value,
        becomes expected: Value? = nil,
        with others: @escaping @Sendable (inout OptionSetup) -> Void = { _ in },
        fileSystemMayRefuse: Bool = false
    ) -> OptionCase {
        var result = make(.database, name, \OptionSetup.database, path, value, expected ?? value, others)
        result.fileSystemMayRefuse = fileSystemMayRefuse
        return result
    }

    static func family<Value: Equatable & Sendable>(
        _ name: String,
        _ path: any WritableKeyPath<ColumnFamilyOptions, Value> & Sendable,
        _ value: Value,
        becomes expected: Value? = nil,
        with others: @escaping @Sendable (inout OptionSetup) -> Void = { _ in },
        isRefused: Bool = false
    ) -> OptionCase {
        var result = make(.family, name, \OptionSetup.family, path, value, expected ?? value, others)
        result.isRefused = isRefused
        return result
    }

    static func table<Value: Equatable & Sendable>(
        _ name: String,
        _ path: any WritableKeyPath<TableOptions, Value> & Sendable,
        _ value: Value,
        with others: @escaping @Sendable (inout OptionSetup) -> Void = { _ in }
    ) -> OptionCase {
        make(.table, name, \OptionSetup.family.table, path, value, value, others)
    }

    private static func make<Options: NamedOptions, Value: Equatable & Sendable>(
        _ kind: Kind,
        _ name: String,
        _ options: any WritableKeyPath<OptionSetup, Options> & Sendable,
        _ path: any WritableKeyPath<Options, Value> & Sendable,
        _ value: Value,
        _ expected: Value,
        _ others: @escaping @Sendable (inout OptionSetup) -> Void
    ) -> OptionCase {
        OptionCase(
            name: name,
            kind: kind,
            set: { setup in
                others(&setup)
                setup[keyPath: options][keyPath: path] = value
            },
            returnsValue: { $0[keyPath: options][keyPath: path] == value },
            understands: { text in
                var setup = OptionSetup()
                setup[keyPath: options][name] = text
                return setup[keyPath: options][keyPath: path] == expected
            },
            defaultText: {
                var setup = OptionSetup()
                setup[keyPath: options][name] = nil
                setup[keyPath: options][keyPath: path] = setup[keyPath: options][keyPath: path]
                return setup[keyPath: options].settings[name]
            }
        )
    }
}
