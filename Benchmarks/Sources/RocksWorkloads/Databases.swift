import BenchKit
import Foundation

/// The subject and its rival, each with a database of its own.
typealias Sides = (subject: any Side, rival: any Side)

/// The databases of a run.
final class Databases {
    private let directory: URL
    private let settings: RocksSettings
    private let isNull: Bool

    init(_ harness: Harness) throws {
        isNull = harness.settings.isNull
        let rowCount = harness.settings.rows
        directory = URL(filePath: harness.folder.path("rocks"))
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        settings = RocksSettings(
            // What Cairn sets by itself, so that C++ does the same.
            database: [
                "create_if_missing": "true", "wal_recovery_mode": "kTolerateCorruptedTailRecords",
                "enforce_single_del_contracts": "false",
            ],
            // No flush and no compaction while a round is measured: they would land in whichever side's turn it is.
            family: ["write_buffer_size": "\(max(256 << 20, rowCount * 256))"],
            // Holds all blocks: reads measure code and not the device.
            blockCacheBytes: max(256 << 20, rowCount * 256)
        )
    }

    /// Calls `body` with two empty databases, and removes them.
    func withFresh(_ ours: Extension, _ body: (Sides) throws -> Void) throws {
        let names = ["write-subject", "write-rival"]
        defer { for name in names { try? FileManager.default.removeItem(at: directory.appending(path: name)) } }
        let sides = try open(names[0], names[1], ours)
        try body(sides)
        try sides.subject.close()
        try sides.rival.close()
    }

    /// Calls `body` with two sides that follow an empty database, and with the one that writes to it.
    func withFollowed(_ body: (Sides, any Side) throws -> Void) throws {
        let path = directory.appending(path: "followed").path()
        func log(_ side: String) -> String { directory.appending(path: "followed-" + side).path() }
        let written = try RivalSide(path: path, settings: settings)
        defer { written.close() }
        let rival = try RivalSide(path: path, settings: settings, followingWith: log("rival"))
        defer { rival.close() }
        let subject: any Side =
            isNull
            ? try RivalSide(path: path, settings: settings, followingWith: log("subject"))
            : try CairnSide(path: path, settings: settings, followingWith: log("subject"))
        try body((subject, rival), written)
        try subject.close()
    }

    /// Two databases of the same files, all in the lowest level. The rival makes them; the subject gets a copy.
    func filled(_ rows: [UInt32]) throws -> Sides {
        let rivalPath = directory.appending(path: "read-rival")
        let rival = try RivalSide(path: rivalPath.path(), settings: settings)
        try rival.putBatches(rows, of: 1_000)
        try rival.compact()
        rival.close()
        try FileManager.default.copyItem(at: rivalPath, to: directory.appending(path: "read-subject"))
        let sides = try open("read-subject", "read-rival")
        // Fills both block caches before anything is measured.
        guard try sides.subject.scan() == sides.rival.scan() else { throw Disagreement("the sides read different rows") }
        return sides
    }

    private func open(_ subject: String, _ rival: String, _ ours: Extension = .none) throws -> Sides {
        var settings = settings
        settings.ours = ours
        let subjectPath = directory.appending(path: subject), rivalPath = directory.appending(path: rival)
        let sides: Sides = (
            subject: try isNull
                ? RivalSide(path: subjectPath.path(), settings: settings) : CairnSide(path: subjectPath.path(), settings: settings),
            rival: try RivalSide(path: rivalPath.path(), settings: settings)
        )
        guard try optionsInForce(subjectPath) == optionsInForce(rivalPath) else {
            throw Disagreement("the sides did not open with the same options: compare \(subjectPath.path())/OPTIONS-* with the rival's")
        }
        return sides
    }

    /// What RocksDB itself wrote down about the options of an open database; lines that name its directory left out.
    private func optionsInForce(_ path: URL) throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: path.path()).filter { $0.hasPrefix("OPTIONS-") }
        // Numbers have leading zeros, so the last by name is the newest.
        guard let newest = files.max() else { throw Disagreement("there is no OPTIONS file in \(path.path())") }
        let text = try String(contentsOf: path.appending(path: newest), encoding: .utf8)
        return text.split(separator: "\n").map(String.init).filter { !$0.contains(path.lastPathComponent) }
    }
}
