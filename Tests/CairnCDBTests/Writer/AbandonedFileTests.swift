import CairnCDB
import CairnCore
import CairnTestSupport
import Foundation
import Testing

/// What writers leave behind that were killed, and what others put in the place of a store's own files.
struct AbandonedFileTests {
    private let scene = try! Scene()

    private func mode(_ name: String) throws -> UInt32 { try FileSystem.system.stat(scene.path(name)).mode }

    @Test func theNextWriterRemovesTheFilesOfThoseThatDied() throws {
        try scene.write([1, 2, 3], ".cairn-dead.tmp")
        try scene.write([1, 2, 3], ".cairn-other.txt")
        try FileSystem.system.mkdir(scene.path(".cairn-directory.tmp"))
        let link = scene.path(".cairn-link.tmp")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scene.path(".cairn-other.txt"))
        let living = try CDBWriter(path: scene.path("living.cdb"))
        try living.put("1", for: "a")
        let store = try scene.store()
        try store.put("2", for: "a")
        try store.save()
        let names = try scene.names()
        #expect(!names.contains(".cairn-dead.tmp"))
        #expect(names.filter { $0.hasPrefix(".cairn-") }.count == 4, "\(names)")
        // Its file was not taken away.
        try living.finish()
        #expect(try scene.reader("living.cdb").pairTexts() == ["a=1"])
    }

    /// The death of the process releases the lock.
    @Test func aWriterThatEndsReleasesItsFile() throws {
        for _ in 0..<3 {
            _ = try CDBWriter(path: scene.path("a.cdb"))
            let writer = try CDBWriter(path: scene.path("b.cdb"))
            try writer.finish()
        }
        #expect(try scene.names() == ["b.cdb"])
    }

    // MARK: NAME.lock

    @Test func theLockHasTheModeOfTheStore() throws {
        let store = try scene.store()
        try store.put("1", for: "a")
        try store.save()
        #expect(try mode("db.cdb.lock") == 0o644)
        for wanted in [0o600, 0o660] as [UInt32] {
            try FileManager.default.setAttributes([.posixPermissions: wanted], ofItemAtPath: scene.path())
            try store.put("\(wanted)", for: "a")
            try store.save()
            #expect(try mode("db.cdb.lock") == wanted)
        }
    }

    @Test func aPlantedLockIsRefused() throws {
        let store = try scene.store()
        try store.put("1", for: "a")
        let lock = scene.path("db.cdb.lock")
        try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: scene.path("elsewhere"))
        #expect(code { try store.save() } == .ioError)
        #expect(!scene.exists("elsewhere") && !scene.exists())
        try FileManager.default.removeItem(atPath: lock)
        #expect(unsafe mkfifo(lock, 0o600) == 0)
        #expect(code { try store.save() } == .permissionDenied)
        try FileManager.default.removeItem(atPath: lock)
        // A lock gets the mode of the store: another file must not get it through a second name.
        try scene.write([1], "private")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: scene.path("private"))
        try FileManager.default.linkItem(atPath: scene.path("private"), toPath: lock)
        #expect(code { try store.save() } == .permissionDenied)
        #expect(try mode("private") == 0o600)
        try FileManager.default.removeItem(atPath: lock)
        // Only root can give a file to others.
        if geteuid() == 0 {
            try scene.write([], "db.cdb.lock")
            #expect(unsafe chown(lock, 12_345, 12_345) == 0)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: scene.directory.path)
            #expect(code { try store.save() } == .permissionDenied)
            // Where only trusted users write, it may be one of them who saved first.
            try FileManager.default.setAttributes([.posixPermissions: 0o770], ofItemAtPath: scene.directory.path)
        }
        try store.save()
        #expect(try scene.reader().pairTexts() == ["a=1"])
    }
}
