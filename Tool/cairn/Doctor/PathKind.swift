import CairnCDB
import CairnCore
import CairnObjectsBNR
import CairnToolKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The kind of file or directory at a path, judged by first and last bytes, or by the names in a directory.
enum PathKind {
    /// A RocksDB database, which may be an object store; the names in it.
    case database(files: [String])
    /// An exported column family; the names in it.
    case export(files: [String])
    case backups
    case bnr(BNRDirectory)
    case mapped
    case cdb(CDBDialect)
    case mmkv
    case goose
    case sorted
    /// A file of SQLite, which may be an object store.
    case sqlite
    /// A URL of a database of PostgreSQL.
    case postgres
    /// A URL of a cluster of etcd.
    case etcd
    /// Another directory; the names in it.
    case directory([String])
    /// Another file.
    case file(FileSample)
    /// A device, a pipe, a socket.
    case other

    /// The kind, or a `Failure` that says why there is none.
    static func existing(_ path: String) throws -> PathKind {
        if ServerLocation.isURL(path) {
            _ = try ServerLocation(path, password: nil)
            return .postgres
        }
        if EtcdLocation.isURL(path) {
            _ = try EtcdLocation(path, password: nil)
            return .etcd
        }
        try StoreLocation.refuseUnknownScheme(path)
        do throws(SystemCallError) {
            return try of(path)
        } catch {
            guard isMissing(error.errno) else {
                throw Failure(.database, "'\(path)' cannot be read: \(error.text).", hint: "Check its permissions and the disk.")
            }
            if let target = linkTarget(of: path) {
                throw Failure(.database, "'\(path)' is a symbolic link to '\(target)', which does not exist.")
            }
            throw Failure(.database, "'\(path)' does not exist.", hint: "Check the path.")
        }
    }

    static func of(_ path: String) throws(SystemCallError) -> PathKind {
        let status = try FileSystem.system.stat(path)
        switch status.kind {
        case .other: return .other
        case .directory: return kind(ofDirectory: path, names: try FileSystem.system.list(path))
        case .file: return kind(of: try FileSample(path, size: status.size))
        }
    }

    private static func kind(ofDirectory path: String, names: [String]) -> PathKind {
        if names.contains("CURRENT") || names.contains(where: { $0.hasPrefix("MANIFEST-") }) { return .database(files: names) }
        if names.contains("CAIRN-EXPORT") { return .export(files: names) }
        let isMeta = (try? FileSystem.system.stat(FileSystem.join(path, "meta")))?.kind == .directory
        if isMeta, names.contains(where: { ["private", "shared", "shared_checksum"].contains($0) }) { return .backups }
        if let directory = try? BNRDirectory(path: path) { return .bnr(directory) }
        return .directory(names)
    }

    private static func kind(of file: FileSample) -> PathKind {
        if file.isMapped { return .mapped }
        if file.starts(with: "SQLite format 3\0") { return .sqlite }
        if file.isSorted { return .sorted }
        if file.hasMMKVMeta { return .mmkv }
        if let dialect = file.cdbDialect { return .cdb(dialect) }
        if file.isGoose { return .goose }
        if file.looksLikeMMKV { return .mmkv }
        return .file(file)
    }

    /// Its name in lists; `nil` if it is not a store.
    var phrase: String? {
        switch self {
        case .database: "a RocksDB database or an object store"
        case .export: "an exported column family"
        case .backups: "a directory of backups"
        case .bnr: "a BNRPersistence store"
        case .mapped: "a mapped store"
        case .cdb: "a constant database"
        case .mmkv: "an MMKV file"
        case .goose: "a Goose file"
        case .sorted: "a sorted file (SST)"
        case .sqlite: "an SQLite file"
        case .postgres, .etcd, .directory, .file, .other: nil
        }
    }

    /// The target of a symbolic link; `nil` for anything else.
    static func linkTarget(of path: String) -> String? { try? FileManager.default.destinationOfSymbolicLink(atPath: path) }
}
