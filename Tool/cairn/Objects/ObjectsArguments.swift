import ArgumentParser
import CairnCore
import CairnObjectsEncryption
import CairnRocksGraph
import CairnToolKit

/// The store.
struct ObjectsArguments: ParsableArguments {
    @Argument(
        help:
            "The directory of the store, a file of SQLite (sqlite:PATH), a database of PostgreSQL (postgresql://USER@HOST/DATABASE#STORE), or a cluster of etcd (etcd://HOST:PORT/PREFIX).",
        completion: .file()
    )
    var path: String
    @OptionGroup var key: KeyArguments
    @OptionGroup var password: PasswordArguments
    @OptionGroup var wait: WaitArguments

    func validate() throws { try password.validate(for: path) }

    func location() throws -> StoreLocation { try wait.applied(to: password.location(path)) }

    /// Opens it without disturbing a program that has it open, and calls `body`.
    func reading<Value>(_ body: (ObjectStore) throws -> Value) throws -> Value {
        var options = ObjectStoreOptions()
        options.readOnly = true
        options.createIfMissing = false
        options.cipher = try cipher()
        return try using(options, body)
    }

    /// Opens it for writing and calls `body`. It must exist.
    func writing<Value>(_ body: (ObjectStore) throws -> Value) throws -> Value {
        var options = ObjectStoreOptions()
        options.createIfMissing = false
        options.cipher = try cipher()
        return try using(options, body)
    }

    private func using<Value>(_ options: ObjectStoreOptions, _ body: (ObjectStore) throws -> Value) throws -> Value {
        let location = try location()
        return try using(
            try ObjectsArguments.opening(path) { () throws(ObjectStoreError) in try location.open(options) },
            body
        )
    }

    /// `nil` for a store that is not encrypted.
    func cipher() throws -> ObjectEncryption? { try key.read().map { try ObjectEncryption($0) } }

    func using<Value>(_ store: ObjectStore, _ body: (ObjectStore) throws -> Value) throws -> Value {
        let value = try body(store)
        try store.close()
        return value
    }

    static func opening<Opened>(
        _ path: String,
        hint: String = "Check the path; 'import' creates a store with --create.",
        creates: Bool = false,
        _ body: () throws(ObjectStoreError) -> Opened
    ) throws -> Opened {
        do throws(ObjectStoreError) { return try body() } catch {
            guard error.code == .notFound, !creates else { throw error }
            throw Failure(.database, "There is no object store at '\(path)'.", hint: hint)
        }
    }
}

extension ObjectStore {
    /// The class with that name.
    func classNamed(_ name: String) throws -> ObjectCatalog.Class {
        if let stored = catalog[name] { return stored }
        let names = catalog.classes.map { EscapedText.string(Array($0.name.utf8)) }
        throw Failure(
            .database,
            "The store has no class '\(name)'.",
            hint: names.isEmpty ? "It has no classes." : "It has: \(names.joined(separator: ", "))."
        )
    }
}

extension ObjectCatalog {
    /// How the tool names an object.
    func phrase(_ id: ObjectID) -> String { "\(self[id]?.name ?? "class \(id.classNumber)") \(id.row)" }
}
