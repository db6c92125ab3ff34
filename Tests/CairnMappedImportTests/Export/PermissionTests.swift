import CairnCore
import CairnMapped
import CairnMappedImport
import CairnTestSupport
import Foundation
import Testing

/// Who may read what was exported.
struct PermissionTests {
    private let directory = try! TemporaryDirectory()

    private func mode(_ name: String) throws -> UInt32 { try FileSystem.system.stat(directory.path(name)).mode }

    @Test func anExportHasTheModeOfItsStore() throws {
        let path = directory.path("settings.map")
        let store = try MappedStore(path: path)
        try store.set("secret", for: "token")
        // A file that everybody may read is there already.
        try Data().write(to: URL(filePath: directory.path("all.json")))
        #expect(try mode("all.json") == 0o644)
        try MappedExport.json(store, to: directory.path("all.json"))
        try MappedExport.cdb(store, to: directory.path("all.cdb"))
        #expect(try mode("all.json") == 0o600)
        #expect(try mode("all.cdb") == 0o600)

        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        try MappedExport.json(store, to: directory.path("all.json"))
        #expect(try mode("all.json") == 0o640)
    }

    @Test func entriesAreExportedForTheUserAlone() throws {
        let store = try MappedStore(path: directory.path("settings.map"))
        try store.set("secret", for: "token")
        try MappedExport.json(store.entries(), to: directory.path("some.json"))
        try MappedExport.cdb(store.entries(), to: directory.path("some.cdb"))
        #expect(try mode("some.json") == 0o600)
        #expect(try mode("some.cdb") == 0o600)
        try MappedExport.json(store.entries(), to: directory.path("some.json"), mode: 0o644)
        try MappedExport.cdb(store.entries(), to: directory.path("some.cdb"), mode: 0o644)
        #expect(try mode("some.json") == 0o644)
        #expect(try mode("some.cdb") == 0o644)
    }
}
