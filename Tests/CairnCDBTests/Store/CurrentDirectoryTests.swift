import CairnCDB
import CairnTestSupport
import Foundation
import Testing

/// A relative path means the same file after the process has changed its current directory.
struct CurrentDirectoryTests {
    @Test func storesAndWritersKeepTheirFiles() async {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            let files = FileManager.default
            for name in ["here", "there"] { try files.createDirectory(atPath: scene.path(name), withIntermediateDirectories: true) }
            try scene.make([("other", "1")], "there/db.cdb")

            try #require(files.changeCurrentDirectoryPath(scene.path("here")))
            var options = CDBStoreOptions()
            options.onConflict = .merge
            let store = try CDBStore(path: "db.cdb", key: String.self, value: String.self, codec: .utf8, options: options)
            try store.put("1", for: "a")
            try store.save()
            let writer = try CDBWriter(path: "new.cdb")
            try writer.put("1", for: "a")

            try #require(files.changeCurrentDirectoryPath(scene.path("there")))
            try store.put("2", for: "b")
            try store.save()
            try store.put("3", for: "c")
            try store.reload()
            try #require(try store.pairTexts() == ["a=1", "b=2", "c=3"])
            try store.revert()
            try #require(try store.pairTexts() == ["a=1", "b=2"] && store.path == "db.cdb")
            try store.put("3", for: "a")
            try store.close()
            try writer.finish()
            try #require(try files.contentsOfDirectory(atPath: scene.path("here")).sorted() == ["db.cdb", "db.cdb.lock", "new.cdb"])
            try #require(try files.contentsOfDirectory(atPath: scene.path("there")) == ["db.cdb"])
            try #require(try scene.reader("here/db.cdb").pairTexts() == ["a=3", "b=2"])
            try #require(try scene.reader("here/new.cdb").pairTexts() == ["a=1"])
            try #require(try scene.reader("there/db.cdb").pairTexts() == ["other=1"])
        }
    }

    /// A process that gave up its privileges may not search what is above its current directory, and still use that.
    @Test func aDirectoryThatCannotBeReachedFromTheRootIsUsed() async {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            let files = FileManager.default
            try files.createDirectory(atPath: scene.path("above/here"), withIntermediateDirectories: true)
            try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: scene.path("above/here"))
            try #require(files.changeCurrentDirectoryPath(scene.path("above/here")))
            try files.setAttributes([.posixPermissions: 0], ofItemAtPath: scene.path("above"))
            // Root may do everything.
            if geteuid() == 0 { try #require(seteuid(65534) == 0) }
            let absolute = scene.path("above/here/db.cdb")
            let store = try CDBStore(path: "db.cdb", key: String.self, value: String.self, codec: .utf8)
            try store.put("1", for: "a")
            try store.close()
            try #require(try CDBReader(path: "db.cdb").pairTexts() == ["a=1"])
            #expect(throws: CDBError.self) { try CDBReader(path: absolute) }
            _ = seteuid(0)
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scene.path("above"))
        }
    }
}
