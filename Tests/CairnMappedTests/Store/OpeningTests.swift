import CairnCore
import CairnMapped
import CairnTestSupport
import Foundation
import Testing

struct OpeningTests {
    @Test func whatIsNoStoreIsLeftAlone() throws {
        let scene = try Scene()
        let files: [[UInt8]] = [
            Array("hello".utf8), [UInt8](repeating: 1, count: 100_000), [UInt8](repeating: 0, count: 20_000), [1],
            Array(try Data(contentsOf: URL(filePath: #filePath))),
        ]
        for bytes in files {
            try scene.write(bytes)
            #expect(code { try scene.store() } == .foreignFile)
            #expect(code { try scene.store { $0.readOnly = true } } == .foreignFile)
            #expect(try scene.bytes() == bytes && scene.names() == ["a.map"])
        }
        try FileManager.default.removeItem(atPath: scene.path())
        try FileManager.default.createDirectory(atPath: scene.path(), withIntermediateDirectories: false)
        #expect(code { try scene.store() } == .isDirectory)
    }

    @Test func aNameThatIsTooLongLeavesNothing() throws {
        let scene = try Scene()
        // The file itself could have the name; the one in which its contents are prepared could not.
        for count in [250, 300] {
            #expect(code { try scene.store(String(repeating: "n", count: count)) } == .ioError)
            #expect(try scene.names().isEmpty)
        }
        try scene.store(String(repeating: "n", count: 240)).close()
    }

    @Test func aCipherThatFailsLeavesNothing() throws {
        struct FailingCipher: MappedCipher {
            func create() throws -> (session: any MappedCipherSession, header: [UInt8]) { throw CancellationError() }
            func unlock(_ header: [UInt8]) throws -> any MappedCipherSession { throw CancellationError() }
        }
        let scene = try Scene()
        #expect(throws: MappedStoreError.self) { try scene.store { $0.cipher = FailingCipher() } }
        #expect(try scene.names().isEmpty)
    }

    @Test func emptyFilesBecomeStores() throws {
        for size in [0, 1, 4096, 16_384] {
            let scene = try Scene()
            try scene.write([UInt8](repeating: 0, count: size))
            #expect(code { try scene.store { $0.readOnly = true } } == .foreignFile)
            #expect(code { try scene.store { $0.createIfMissing = false } } == .foreignFile)
            let store = try scene.store()
            #expect(store.openReport.wasCreated)
            try store.set(1, for: "a")
            #expect(try store.get("a") == 1)
        }
    }

    /// They seem empty, and a store would take their place. Not tried with a device of the machine, which it would lose if this failed.
    @Test func whatIsNeitherFileNorDirectoryIsLeftAlone() throws {
        let scene = try Scene()
        #expect(unsafe mkfifo(scene.path("pipe"), 0o600) == 0)
        try FileManager.default.createSymbolicLink(atPath: scene.path("link"), withDestinationPath: "pipe")
        let store = try scene.store()
        try store.set(1, for: "a")
        for name in ["pipe", "link"] {
            #expect(code { try scene.store(name) } == .foreignFile)
            #expect(code { try scene.store(name) { $0.readOnly = true } } == .foreignFile)
            #expect(code { try store.backup(to: scene.path(name)) } == .foreignFile)
            #expect(try FileSystem.system.stat(scene.path(name)).kind == .other)
        }
        #expect(try scene.names() == ["a.map", "link", "pipe"])
    }

    @Test func missingFiles() throws {
        let scene = try Scene()
        #expect(code { try scene.store { $0.createIfMissing = false } } == .notFound)
        #expect(code { try scene.store { $0.readOnly = true } } == .notFound)
        #expect(code { try scene.store("no/such/a.map") } == .notFound)
        #expect(try scene.names() == [])
    }

    @Test func newerVersionsAreRefused() throws {
        let scene = try Scene()
        try scene.store().set(1, for: "a")
        var bytes = try scene.bytes()
        for start in [0, 3072] {
            bytes[start + 8] = 2
            let sum = CRC32C.checksum(of: Array(bytes[start..<start + 1020]))
            for index in 0..<4 { bytes[start + 1020 + index] = UInt8(truncatingIfNeeded: sum >> (8 * index)) }
        }
        try scene.write(bytes)
        let error = try #require(failure { try scene.store() })
        #expect(error.code == .unsupportedVersion && error.message.contains("version 2"))
        #expect(try scene.bytes() == bytes)
    }

    @Test func reportsTellWhatWasFound() throws {
        let scene = try Scene()
        var store = try scene.store()
        #expect(store.openReport.wasCreated && store.openReport.isClean)
        try store.set(1, for: "a")
        // Opened beside another: in order as it is.
        let second = try scene.store()
        #expect(!second.openReport.wasCreated && !second.openReport.wasRebuilt)
        try second.close()
        try store.close()
        store = try scene.store()
        #expect(store.openReport == second.openReport && store.openReport.isClean)
        try store.close()
        // Either copy of the header is sufficient, and the other is repaired.
        for place in [20, 3100] {
            var bytes = try scene.bytes()
            bytes[place] ^= 1
            try scene.write(bytes)
            store = try scene.store()
            #expect(try store.openReport.headerWasDamaged && !store.openReport.isClean && store.get("a") == 1)
            try store.close()
            store = try scene.store()
            #expect(!store.openReport.headerWasDamaged)
            try store.close()
        }
        var bytes = try scene.bytes()
        bytes[20] ^= 1
        bytes[3100] ^= 1
        try scene.write(bytes)
        #expect(code { try scene.store() } == .corruption)
        #expect(try scene.bytes() == bytes)
    }

    @Test func anotherBootReadsTheRecordsOnceMore() throws {
        let scene = try Scene()
        var store = try scene.store()
        for number in 0..<50 { try store.set(number, for: "\(number)") }
        try store.close()
        try scene.pretendAnotherBoot()
        store = try scene.store()
        #expect(store.openReport.wasRebuilt && store.openReport.isClean && store.openReport.unfinishedChanges == 0)
        #expect(try store.count == 50)
        try store.close()
        // What the disk has confirmed need not be read again.
        try scene.pretendAnotherBoot()
        store = try scene.store()
        #expect(!store.openReport.wasRebuilt)
        try store.set(50, for: "50")
        try store.sync()
        try store.close()
        try scene.pretendAnotherBoot()
        store = try scene.store()
        #expect(try !store.openReport.wasRebuilt && store.count == 51)
    }

    /// A reader came first after a boot: a writer repairs the file nevertheless, and the reader sees its changes.
    @Test func aReaderThatComesFirstAfterABoot() throws {
        for isSynced in [false, true] {
            let scene = try Scene()
            let first = try scene.store()
            try first.set(1, for: "a")
            if isSynced { try first.sync() }
            try first.close()
            try scene.pretendAnotherBoot()
            // As if a writer had been in the middle of a change when the machine went down.
            try scene.lockForEver()
            let reader = try scene.store { $0.readOnly = true }
            #expect(try reader.get("a") == 1)
            let writer = try scene.store()
            try writer.set(2, for: "a")
            #expect(try reader.get("a") == 2)
            try writer.set(3, for: "b")
            #expect(try reader.keys() == ["a", "b"])
            try writer.compact()
            #expect(try reader.keys() == ["a", "b"] && reader.verify().isIntact)
        }
    }
}

extension Scene {
    /// Changes the file as if the machine had been restarted since the file was opened last.
    func pretendAnotherBoot(_ name: String = "a.map") throws {
        var bytes = try bytes(name)
        for place in 1048..<1064 { bytes[place] ^= 0x5a }
        try write(bytes, name)
    }

    /// Has the writers' lock be held by a thread that does not exist.
    func lockForEver(_ name: String = "a.map") throws {
        var bytes = try bytes(name)
        for (index, byte) in [0xfe, 0xff, 0x3f, 0].enumerated() { bytes[1280 + index] = UInt8(byte) }
        try write(bytes, name)
    }
}
