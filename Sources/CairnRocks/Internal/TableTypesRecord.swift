import CairnCore
import Synchronization

/// What an open database remembers about the types of its tables.
///
/// Only tools use the file, so no operation fails if it cannot be read or written.
final class TableTypesRecord: Sendable {
    private let directory: String
    private let state = Mutex(State())

    private struct State {
        /// The tables in the file; `nil` until needed.
        var tables: [String: TableTypes]?
        /// The tables declared since the database was opened; of several declarations, the first counts.
        var declared: Set<String> = []
    }

    init(directory: String) {
        // The program may change its current directory.
        self.directory = FileSystem.absolute(directory)
    }

    /// Remembers the types of these tables, unless others were declared before.
    func declare(_ declarations: [(name: String, types: TableTypes)]) {
        change { state in
            for (name, types) in declarations where state.declared.insert(name).inserted {
                state.tables?[name] = types.isEmpty ? nil : types
            }
        }
    }

    /// Same as ``declare(_:)``, for one table. Calls `types` only if needed.
    func declare(_ name: String, _ types: () -> TableTypes) {
        guard !state.withLock({ $0.declared.contains(name) }) else { return }
        declare([(name, types())])
    }

    /// Forgets a table that was dropped.
    func forget(_ name: String) {
        change { state in
            state.declared.remove(name)
            state.tables?[name] = nil
        }
    }

    /// Writes the file for a copy of the database.
    func copy(to directory: String) {
        guard let tables = try? TableTypesFile.read(in: self.directory), !tables.isEmpty else { return }
        try? TableTypesFile.write(tables, in: directory, durability: .synced)
    }

    /// Writes the file if `body` changes the tables. Ignores the contents of a damaged file.
    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            var recorded = state.tables
            if recorded == nil {
                recorded = try? TableTypesFile.read(in: directory)
                state.tables = recorded ?? [:]
            }
            body(&state)
            guard let tables = state.tables, tables != recorded ?? [:] else { return }
            try? TableTypesFile.write(tables, in: directory)
        }
    }
}

extension DatabaseHandle {
    /// Remembers the types of a table, for tools.
    func remember<Key, Value>(_ name: String, _ keys: KeyCodec<Key>, _ values: ValueCodec<Key, Value>) {
        guard let tableTypes, !isClosed else { return }
        tableTypes.declare(name) { TableTypes(keys, values) }
    }
}

extension RocksDB {
    /// Remembers the types of a table, for tools, unless the program has declared others.
    package func remember(_ types: TableTypes, ofTable name: String) {
        handle.tableTypes?.declare(name) { types }
    }
}
