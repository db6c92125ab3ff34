import ArgumentParser
import CairnEtcdGraph
import CairnPostgresGraph
import CairnRocksGraph
import CairnSQLiteGraph

/// Where a store is that is moved: `rocksdb:PATH`, `sqlite:PATH`, `postgresql://…#STORE`, or `etcd://…/PREFIX`.
struct MovePlace: ExpressibleByArgument, CustomStringConvertible, Sendable {
    let description: String

    init?(argument: String) {
        guard ["rocksdb:", "sqlite:", "postgresql://", "etcd://"].contains(where: argument.hasPrefix) else { return nil }
        description = argument
    }

    func engine() throws -> any StorageEngine {
        let parts = description.split(separator: "#", maxSplits: 1).map(String.init)
        switch description.prefix(while: { $0 != ":" }) {
        case "rocksdb": return try RocksEngine(path: String(description.dropFirst("rocksdb:".count)))
        case "sqlite": return try SQLiteEngine(path: String(description.dropFirst("sqlite:".count)))
        case "postgresql": return try PostgresEngine(url: parts[0], store: parts.count > 1 ? parts[1] : "moved")
        default: return try EtcdEngine(url: description)
        }
    }
}

/// The checksum of all entries of a store, in their order, and how many they are; without what it says of moves, and without the rows that it has reserved, which a
/// store that was moved away still gives back when it is closed.
struct StoreSum: Equatable, CustomStringConvertible {
    private static let left: [[UInt8]] = [[0, 1, 0, 0], [0, 2]]

    private var checksum = CRC32C()
    private(set) var entries = 0

    init(_ engine: any StorageEngine) throws {
        try engine.makeView().lendEntries(in: .all, reverse: false) { key, value in
            let key = [UInt8](copying: key)
            guard !Self.left.contains(where: key.starts) else { return true }
            entries += 1
            for part in [key, [UInt8](copying: value)] {
                checksum.update("\(part.count) ")
                checksum.update(part)
            }
            return true
        }
    }

    var description: String { "\(entries) entries with the checksum \(String(checksum.value, radix: 16))" }
}
