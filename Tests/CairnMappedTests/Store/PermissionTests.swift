import CairnCore
import CairnMapped
import CairnTestSupport
import Foundation
import Testing

/// Who may read the files of a store.
struct PermissionTests {
    private func mode(_ path: String) throws -> UInt32 { try FileSystem.system.stat(path).mode }

    @Test func aNewStoreHasTheModeOfItsOptions() throws {
        let scene = try Scene()
        try scene.store().close()
        #expect(try mode(scene.path()) == 0o600)
        let shared = try scene.store("shared.map") { $0.mode = 0o640 }
        #expect(try mode(scene.path("shared.map")) == 0o640)
        try shared.set(1, for: "a")
        try shared.compact()
        try shared.backup(to: scene.path("backup.map"))
        try shared.close()
        #expect(try mode(scene.path("shared.map")) == 0o640)
        #expect(try mode(scene.path("backup.map")) == 0o640)
        // The option is for new stores.
        try scene.store("shared.map").close()
        #expect(try mode(scene.path("shared.map")) == 0o640)
    }
}
