import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// `backup`, `backups`, `restore`.
struct BackupsTests {
    // Lives as long as the test.
    private let playground: Playground
    private let backups: String

    init() throws {
        playground = try Playground()
        backups = playground.path("backups")
    }

    /// What differs from run to run as `#`, columns one blank apart.
    private func steady(_ outcome: Outcome) -> Outcome {
        var outcome = outcome
        outcome.output.replace(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z/, with: "#")
        outcome.output.replace(/[0-9.]+ KiB/, with: "# KiB")
        outcome.output.replace(/"bytes":[0-9]+/, with: "\"bytes\":#")
        outcome.output.replace(/\ +/, with: " ")
        return outcome
    }

    @Test func backupsAreMadeListedAndRestored() throws {
        let db = try playground.database("db", ["a": "1"], columnFamilies: ["songs"])
        let first = try cairn("rocks", "backup", db, backups, "--metadata", "before\nthe move")
        #expect(steady(first) == Outcome("Created backup 1 in '\(backups)': 4 files, # KiB.\n"))
        #expect(try cairn("rocks", "put", db, "b", "2") == Outcome())
        let second = try cairn("rocks", "backup", db, backups, "--json")
        #expect(steady(second) == Outcome("{\"id\":2,\"date\":\"#\",\"bytes\":#,\"files\":5,\"metadata\":\"\"}\n"))

        let list = " id date size files metadata\n 1 # # KiB 4 before\\nthe move\n 2 # # KiB 5\n".dropFirst()
        #expect(try steady(cairn("rocks", "backups", backups)) == Outcome(String(list)))
        #expect(try steady(cairn("rocks", "backups", backups, "--verify")) == Outcome(list + "No damage found.\n"))

        let copy = playground.path("copy")
        #expect(try cairn("rocks", "restore", backups, copy) == Outcome("Restored backup 2 to '\(copy)'.\n"))
        #expect(try playground.content(of: copy) == playground.content(of: db))
        let there = "Error: There is already a database at '\(copy)'.\nHint: --replace restores the backup in its place.\n"
        #expect(try cairn("rocks", "restore", backups, copy) == Outcome(error: there, status: 3))
        let again = try cairn("rocks", "restore", backups, copy, "--id", "1", "--replace", "--json")
        #expect(again == Outcome("{\"path\":\"\(copy)\",\"id\":1}\n"))
        #expect(try cairn("rocks", "scan", copy) == Outcome("a\t1\n"))
    }

    @Test func aWarningSaysIfMoreUsersCanReadTheBackup() throws {
        let db = try playground.database("db", ["a": "1"])
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: db)
        try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: false)
        let warning = "Warning: More users can enter the directory '\(backups)' than the database's, so they can read the backup.\n"
        for (number, mode) in [0o755, 0o710, 0o700].enumerated() {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: backups)
            let outcome = try cairn("rocks", "backup", db, backups)
            let created = "Created backup \(number + 1) in '\(backups)': "
            #expect(outcome.output.hasPrefix(created) && outcome.status == 0)
            #expect(outcome.error == (mode == 0o700 ? "" : warning))
        }
        // A new one gets the mode of the database.
        #expect(try cairn("rocks", "backup", db, playground.path("new")).error == "")
    }

    @Test func filesThatAreNoDatabaseAreNotDeleted() throws {
        let db = try playground.database("db", ["a": "1"])
        #expect(try cairn("rocks", "backup", db, backups).status == 0)
        let notes = playground.path("notes")
        try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: false)
        let note = try playground.file("notes/note", "keep me")
        let there = "Error: There are already files in '\(notes)'.\nHint: --replace deletes them and restores the backup there.\n"
        #expect(try cairn("rocks", "restore", backups, notes) == Outcome(error: there, status: 3))
        #expect(try String(contentsOfFile: note, encoding: .utf8) == "keep me")
    }

    @Test func theLogIsCopiedIfNothingIsToBeFlushed() throws {
        let db = try playground.database("db", ["a": "1"])
        #expect(try cairn("rocks", "backup", db, backups, "--no-flush").status == 0)
        #expect(try cairn("rocks", "metadata", db) == Outcome("No files.\n"))
        let copy = playground.path("copy")
        #expect(try cairn("rocks", "restore", backups, copy).status == 0)
        #expect(try playground.content(of: copy) == ["default": [Array("a".utf8): Array("1".utf8)]])
    }

    @Test func someAreDeleted() throws {
        let db = try playground.database("db", ["a": "1"])
        for text in ["one", "two", "three"] { #expect(try cairn("rocks", "backup", db, backups, "--metadata", text).status == 0) }
        func left(_ arguments: String...) throws -> [String] {
            let outcome = try runTool("cairn", ["rocks", "backups", backups] + arguments)
            #expect(outcome.status == 0)
            return outcome.standardOutput.matches(of: /one|two|three/).map { String($0.output) }
        }
        #expect(try left("--delete", "2") == ["one", "three"])
        #expect(try left("--keep", "1") == ["three"])
        #expect(try left() == ["three"])
        #expect(try cairn("rocks", "backups", backups, "--delete", "9").status == 3)
        #expect(try cairn("rocks", "backups", backups, "--keep", "0") == Outcome("No backups.\n"))
        #expect(try cairn("rocks", "backups", backups, "--json") == Outcome("{\"ok\":true,\"damage\":[],\"backups\":[]}\n"))
        let none = "Error: '\(backups)' does not contain a backup that can be restored.\n"
        #expect(try cairn("rocks", "restore", backups, playground.path("copy")) == Outcome(error: none, status: 3))
    }

    @Test func damageIsTold() throws {
        let db = try playground.database("db", ["a": "1"])
        #expect(try cairn("rocks", "backup", db, backups).status == 0)
        let shared = backups + "/shared_checksum/"
        let file = try #require(try FileManager.default.contentsOfDirectory(atPath: shared).first)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: shared + file)))
        bytes[10] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: shared + file))
        #expect(try cairn("rocks", "backups", backups).status == 0)
        let verified = try cairn("rocks", "backups", backups, "--verify")
        #expect(verified.output.contains("\ndamage: "), "\(verified.output)")
        let error = "Error: '\(backups)' has damaged backups.\nHint: --delete removes a backup; all others can be restored.\n"
        #expect(verified.status == 1 && verified.error == error)
        let copy = playground.path("copy")
        let restored = try cairn("rocks", "restore", backups, copy)
        #expect(restored.status == 3 && restored.error.contains("Restoring backup 1 at '\(backups)' to '\(copy)': "), "\(restored)")
        #expect(restored.error.contains(file) && restored.error.hasSuffix("\nHint: 'cairn rocks backups --verify' shows the damage.\n"))
        #expect(!FileManager.default.fileExists(atPath: copy))

        try FileManager.default.removeItem(atPath: shared + file)
        let missing = try cairn("rocks", "backups", backups, "--json")
        let json = #"{"ok":false,"damage":[{"what":"backup 1 cannot be restored","where":"backup 1"}],"backups":[]}"# + "\n"
        #expect(missing == Outcome(json, error: error, status: 1))
    }

    /// What is there is replaced only by a backup that is complete.
    @Test func aRestoreThatFailsChangesNothing() throws {
        let db = try playground.database("db", ["a": "1"])
        #expect(try cairn("rocks", "backup", db, backups).status == 0)
        let shared = backups + "/shared_checksum/"
        let file = shared + (try #require(try FileManager.default.contentsOfDirectory(atPath: shared).first))
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        bytes[10] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: file))

        let other = try playground.database("other", ["b": "2"])
        let outcome = try cairn("rocks", "restore", backups, other, "--replace")
        #expect(outcome.status == 3 && outcome.error.contains("Restoring backup 1 at '\(backups)' to '\(other)': "), "\(outcome)")
        #expect(try cairn("rocks", "scan", other) == Outcome("b\t2\n"))
        #expect(!FileManager.default.fileExists(atPath: other + ".restoring"))

        let open = try RocksDB(path: other)
        #expect(try cairn("rocks", "restore", backups, other, "--replace").error.contains("already open in another process"))
        try open.close()
        try FileManager.default.createDirectory(atPath: other + "/photos", withIntermediateDirectories: false)
        let refused = try cairn("rocks", "restore", backups, other, "--replace")
        #expect(refused.status == 3 && refused.error.contains("contains the directory 'photos'"), "\(refused)")
    }

    /// What a restore that was killed leaves at each of its steps.
    @Test func aRestoreThatWasKilledIsMended() throws {
        let files = FileManager.default
        let db = try playground.database("db", ["a": "1"])
        #expect(try cairn("rocks", "backup", db, backups).status == 0)
        let copy = try playground.database("copy", ["b": "2"])
        let work = copy + ".restoring"
        let part = try playground.file("part", "part")

        // Before the backup was complete.
        try files.createDirectory(atPath: work + "/new", withIntermediateDirectories: true)
        try files.copyItem(atPath: part, toPath: work + "/new/CURRENT")
        #expect(try cairn("rocks", "restore", backups, copy).status == 3)
        #expect(!files.fileExists(atPath: work))
        #expect(try cairn("rocks", "scan", copy) == Outcome("b\t2\n"))

        // After the database was moved, before the backup was.
        try files.createDirectory(atPath: work + "/new", withIntermediateDirectories: true)
        try files.moveItem(atPath: copy, toPath: work + "/old")
        let gone = try cairn("rocks", "put", copy, "c", "3", "--create")
        #expect(gone.status == 3 && gone.error.contains("an interrupted restore moved it to '\(work)'"), "\(gone)")
        let back = try cairn("rocks", "restore", backups, copy)
        #expect(back.status == 3 && back.error.hasPrefix("Warning: The old contents of '\(copy)' were put back"), "\(back)")
        #expect(try cairn("rocks", "scan", copy) == Outcome("b\t2\n"))
        #expect(!files.fileExists(atPath: work))

        // Before the old database was removed.
        try files.createDirectory(atPath: work, withIntermediateDirectories: true)
        try files.copyItem(atPath: copy, toPath: work + "/old")
        #expect(try cairn("rocks", "restore", backups, copy, "--replace") == Outcome("Restored backup 1 to '\(copy)'.\n"))
        #expect(try cairn("rocks", "scan", copy) == Outcome("a\t1\n"))
        #expect(!files.fileExists(atPath: work))

        // A directory that only looks like it.
        try files.createDirectory(atPath: work, withIntermediateDirectories: true)
        try files.copyItem(atPath: part, toPath: work + "/note")
        let foreign = try cairn("rocks", "restore", backups, copy, "--replace")
        #expect(foreign.status == 3 && foreign.error.contains("was not created by a restore"), "\(foreign)")
        #expect(try files.contentsOfDirectory(atPath: work) == ["note"])
    }

    @Test func anEmptyDirectoryIsFilled() throws {
        let db = try playground.database("db", ["a": "1"])
        #expect(try cairn("rocks", "backup", db, backups).status == 0)
        let copy = playground.path("copy")
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
        #expect(try cairn("rocks", "restore", backups, copy + "/") == Outcome("Restored backup 1 to '\(copy)/'.\n"))
        #expect(try cairn("rocks", "scan", copy) == Outcome("a\t1\n"))
    }

    @Test(arguments: ["meta/2", "private/2/CURRENT"]) func anOlderBackupIsNotTakenForTheLatest(file: String) throws {
        let db = try playground.database("db", ["a": "1"])
        #expect(try cairn("rocks", "backup", db, backups).status == 0)
        #expect(try cairn("rocks", "put", db, "b", "2").status == 0)
        #expect(try cairn("rocks", "backup", db, backups).status == 0)
        if file.hasPrefix("meta") {
            try Data().write(to: URL(fileURLWithPath: backups + "/" + file))
        } else {
            try FileManager.default.removeItem(atPath: backups + "/" + file)
        }
        let copy = playground.path("copy")
        let error = "Error: Backup 2 at '\(backups)', the latest, is damaged.\nHint: --id 1 restores the one before.\n"
        #expect(try cairn("rocks", "restore", backups, copy) == Outcome(error: error, status: 3))
        #expect(!FileManager.default.fileExists(atPath: copy))
        #expect(try cairn("rocks", "restore", backups, copy, "--id", "1").status == 0)
        #expect(try cairn("rocks", "scan", copy) == Outcome("a\t1\n"))
    }

    @Test func backupsAndTheDatabaseAreApart() throws {
        let db = try playground.database("db", ["a": "1"])
        let before = try FileManager.default.contentsOfDirectory(atPath: db).sorted()
        for place in [db, db + "/backups", playground.path("db/../db/backups/all")] {
            let outcome = try cairn("rocks", "backup", db, place)
            #expect(outcome.status == 3 && outcome.error.contains("for backups is the database's directory, or is inside it"), "\(outcome)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: db).sorted() == before)
        #expect(try cairn("rocks", "backup", db, backups).status == 0)
        for place in [backups, backups + "/copy", playground.directory.path] {
            let outcome = try cairn("rocks", "restore", backups, place, "--replace")
            #expect(outcome.status == 3 && outcome.error.contains("the backup directory"), "\(outcome)")
        }
        #expect(try cairn("rocks", "backups", backups, "--verify").status == 0)
    }

    @Test func whereThereAreNone() throws {
        let missing = Outcome(error: "Error: There is no directory '\(backups)'.\n", status: 3)
        #expect(try cairn("rocks", "backups", backups) == missing)
        #expect(try cairn("rocks", "restore", backups, playground.path("copy")) == missing)
        let db = try playground.database()
        let other = "Error: The directory '\(db)' does not contain backups.\nHint: 'cairn rocks backup' creates one.\n"
        #expect(try cairn("rocks", "backups", db) == Outcome(error: other, status: 3))
        #expect(try cairn("rocks", "backup", playground.path("nothing"), backups).status == 3)
        #expect(!FileManager.default.fileExists(atPath: backups))
    }
}
