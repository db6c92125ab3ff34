import ArgumentParser
import CairnCore
import CairnRocks
import CairnToolKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which directory of backups.
struct BackupArguments: ParsableArguments {
    @Argument(help: "The directory of the backups.", completion: .directory)
    var backupDirectory: String

    /// The backups that are there.
    func open(readOnly: Bool) throws -> BackupEngine {
        func isDirectory(_ path: String) -> Bool { (try? FileSystem.system.stat(path))?.kind == .directory }
        guard isDirectory(backupDirectory) else { throw Failure(.database, "There is no directory '\(backupDirectory)'.") }
        guard isDirectory(backupDirectory + "/meta") else {
            throw Failure(.database, "The directory '\(backupDirectory)' holds no backups.", hint: "'cairn rocks backup' makes one.")
        }
        return try BackupEngine(path: backupDirectory, readOnly: readOnly)
    }
}

extension CairnRocks.Backup {
    /// The date as in ISO 8601, in UTC.
    var time: String { date.formatted(.iso8601) }

    var json: JSONValue {
        .object([
            ("id", .unsigned(UInt64(id))),
            ("date", .string(time)),
            ("bytes", .int(size.bytes)),
            ("files", .int(Int64(fileCount))),
            HexArguments.field("metadata", metadata, isText: isValidUTF8(metadata)),
        ])
    }
}
