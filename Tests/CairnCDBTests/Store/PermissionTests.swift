import CairnCDB
import CairnCore
import CairnTestSupport
import Foundation
import Testing

/// Who may read what a store saves.
struct PermissionTests {
    private let scene = try! Scene()

    private func mode(_ name: String = "db.cdb") throws -> UInt32 { try FileSystem.system.stat(scene.path(name)).mode }

    @Test func theModeIsKeptUnlessTheOptionsSetIt() throws {
        let store = try scene.store()
        try store.put("1", for: "a")
        try store.save()
        #expect(try mode() == 0o644)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: scene.path())
        try store.put("2", for: "a")
        try store.save()
        #expect(try mode() == 0o640)
        try store.close()

        var options = CDBStoreOptions.buffered
        options.mode = 0o600
        let secret = try scene.store(options: options)
        try secret.put("3", for: "a")
        try secret.save()
        #expect(try mode() == 0o600)
    }
}
