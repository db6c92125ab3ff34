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

    /// Opens the existing backups.
    func open(readOnly: Bool) throws -> BackupEngine {
        func isDirectory(_ path: String) -> Bool { (try? FileSystem.system.stat(path))?.kind == .directory }
        guard isDirectory(backupDirectory) else { throw Failure(.database, "There is no directory '\(backupDirectory)'.") }
        guard isDirectory(backupDirectory + "/meta") else {
            throw Failure(
                .database,
                "The directory '\(backupDirectory)' does not contain backups.",
                hint: "'cairn rocks backup' creates one."
            )
        }
        return try BackupEngine(path: backupDirectory, readOnly: readOnly)
    }
}

extension CairnRocks.Backup {
    /// The date in ISO 8601, in UTC.
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
