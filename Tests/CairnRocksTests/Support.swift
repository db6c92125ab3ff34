import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Synchronization
import Testing

/// A directory for one database, removed at the end of the test.
final class Scene: Sendable {
    let directory: TemporaryDirectory
    var path: String { directory.path("db") }

    init() throws { directory = try TemporaryDirectory() }

    /// Opens the database, which is made if need be.
    func open(
        _ columnFamilyOptions: ColumnFamilyOptions = ColumnFamilyOptions(),
        _ columnFamilies: [String: ColumnFamilyOptions] = [:],
        options: DatabaseOptions = DatabaseOptions(createIfMissing: true)
    ) throws -> RocksDB {
        try RocksDB(path: path, options: options, columnFamilyOptions: columnFamilyOptions, columnFamilies: columnFamilies)
    }
}

/// The error of `body`, which must be a ``RocksError``; `nil` if it succeeds.
func failure<Value: ~Copyable>(_ body: () throws -> Value) -> RocksError? {
    do {
        _ = try body()
        return nil
    } catch {
        if error is RocksError { return error as? RocksError }
        Issue.record("a \(type(of: error)) instead of a RocksError: \(error)")
        return nil
    }
}

/// The code of `body`'s error; `nil` if it succeeds.
func code<Value: ~Copyable>(_ body: () throws -> Value) -> RocksError.Code? { failure(body)?.code }

extension RocksReader {
    func text(_ key: String) throws -> String? { try get(key, as: String.self) }
    func keyTexts(_ range: ScanRange = .all, options: ReadOptions? = nil) throws -> [String] {
        try keys(range, as: String.self, options: options)
    }
    /// Entries as "key=value".
    func pairTexts(_ range: ScanRange = .all, options: ReadOptions? = nil) throws -> [String] {
        try entries(range, as: (String.self, String.self), options: options).map { "\($0)=\($1)" }
    }
}

extension RocksWriter {
    /// Stores each key with itself as its value.
    func fill(_ keys: String...) throws { for key in keys { try put(key, for: key) } }
}

/// A move of a cursor.
enum Move: Sendable {
    case next, previous, first, last
    case seek(String), seekToOrBefore(String)
}

extension RocksReader {
    /// The keys a cursor arrives at, `nil` off either end.
    func walk(_ moves: Move...) throws -> [String?] { try walk(.all, moves) }
    func walk(_ range: ScanRange, options: ReadOptions? = nil, _ moves: Move...) throws -> [String?] {
        try walk(range, options: options, moves)
    }
    func walk(_ range: ScanRange, options: ReadOptions? = nil, _ moves: [Move]) throws -> [String?] {
        var cursor = try makeCursor(range, options: options)
        return try moves.map { try cursor.perform($0) }
    }
}

extension Cursor {
    /// The key that `move` leads to.
    mutating func perform(_ move: Move) throws(RocksError) -> String? {
        switch move {
        case .next: try next()?.key(as: String.self)
        case .previous: try previous()?.key(as: String.self)
        case .first: try first()?.key(as: String.self)
        case .last: try last()?.key(as: String.self)
        case .seek(let key): try seek(to: key)?.key(as: String.self)
        case .seekToOrBefore(let key): try seek(toOrBefore: key)?.key(as: String.self)
        }
    }
}

/// A value that threads share.
final class Box<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>
    init(_ value: Value) { mutex = Mutex(value) }
    var value: Value {
        get { mutex.withLock { $0 } }
        set { mutex.withLock { $0 = newValue } }
    }
    func update(_ body: (inout Value) -> Void) { mutex.withLock { body(&$0) } }
}
