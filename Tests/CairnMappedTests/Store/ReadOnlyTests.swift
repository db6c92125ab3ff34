import CairnMapped
import CairnTestSupport
import Foundation
import Synchronization
import Testing

struct ReadOnlyTests {
    private func makeStore(_ scene: Scene) throws {
        let store = try scene.store()
        for number in 0..<20 { try store.set(number, for: "\(number)") }
        try store.close()
    }

    @Test func readingChangesNothing() throws {
        let scene = try Scene()
        try makeStore(scene)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: scene.path())
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: scene.directory.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scene.directory.path) }
        let bytes = try scene.bytes()
        let store = try scene.store { $0.readOnly = true }
        #expect(try store.contents().count == 20 && store.verify().isIntact && store.get("7") == 7)
        #expect(try store.expiry(of: "7") == nil && store.fileSize > .bytes(0) && store.liveSize > .bytes(0))
        #expect(code { try store.set(1, for: "a") } == .readOnly)
        #expect(code { try store.remove("7") } == .readOnly)
        #expect(code { try store.transaction { _ in } } == .readOnly)
        #expect(code { try store.update("7", default: 0) { $0 += 1 } } == .readOnly)
        #expect(code { try store.compact() } == .readOnly)
        #expect(code { try store.removeAll() } == .readOnly)
        #expect(code { try store.rekey(to: TestCipher(1)) } == .readOnly)
        #expect(code { try store.sync() } == .readOnly)
        try store.close()
        #expect(try scene.bytes() == bytes && scene.names() == ["a.map"])
    }

    /// Also a store that a writer would have to bring into order.
    @Test func readingWhatIsOutOfOrderChangesNothing() throws {
        let scene = try Scene()
        try makeStore(scene)
        try scene.pretendAnotherBoot()
        var bytes = try scene.bytes()
        // The index as well.
        for place in 4160..<4400 { bytes[place] = 0 }
        try scene.write(bytes)
        let store = try scene.store { $0.readOnly = true }
        #expect(try store.openReport.wasRebuilt && store.contents().count == 20 && store.verify().isIntact)
        #expect(try store.get("7") == 7 && store.withValue(for: "8") { bytes, _ in bytes.byteCount } == 1)
        try store.close()
        #expect(try scene.bytes() == bytes)
    }

    /// In a process of its own, which gives up the superuser's rights if it has them.
    @Test func aFileThatMayNotBeWrittenIsRefusedToWriters() async throws {
        let scene = try Scene()
        try makeStore(scene)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: scene.path())
        await #expect(processExitsWith: .success) { [path = scene.path() as String] in
            if geteuid() == 0, setuid(65534) != 0 { fatalError("the superuser's rights remain") }
            let error = code { try MappedStore(path: path) }
            guard error == .permissionDenied else { fatalError("\(String(describing: error))") }
            guard try MappedStore(path: path, options: .init(readOnly: true)).get("7") == 7 else { fatalError("another value") }
        }
    }

    @Test func readersBesideAWriterSeeEverythingAtOnce() throws {
        let scene = try Scene()
        let writer = try scene.store()
        let readers = try (0..<3).map { _ in try scene.store { $0.readOnly = true } }
        for number in 0..<500 {
            try writer.set(number, for: "n")
            try writer.set([UInt8](repeating: 1, count: number * 40), for: "\(number)")
            if number % 100 == 50 { try writer.compact() }
            if number == 250 { try writer.removeAll() }
            let reader = readers[number % 3]
            let found = try reader.get("n", as: Int.self)
            let size = try reader.valueSize(of: "\(number)")
            if number == 250 ? found != nil : (found != number || size != number * 40) { Issue.record("\(number): \(found ?? -1)") }
        }
        for reader in readers { #expect(try reader.contents() == writer.contents()) }
        try writer.close()
        for reader in readers { #expect(try reader.get("n") == 499) }
    }

    /// Readers that open while a writer is busy use the index as it is, and keep seeing what is written.
    @Test func openingBesideABusyWriter() async throws {
        let scene = try Scene()
        let writer = try scene.store()
        for number in 0..<5_000 { try writer.set(number, for: "\(number)") }
        let isDone = Flag()
        try await onThreads(2) { thread in
            if thread == 0 {
                defer { isDone.set() }
                for _ in 0..<Thorough.count(5, of: 20) {
                    let reader = try scene.store { $0.readOnly = true }
                    let first = try reader.get("count", default: 0)
                    var next = first
                    while next == first { next = try reader.get("count", default: 0) }
                    try match(try reader.get("77"), 77, "a value that does not change")
                    let keys = try reader.keys()
                    try match(Set(keys).count >= 5_000, true, "keys are there")
                }
            } else {
                while !isDone.isSet { try writer.update("count", default: 0) { $0 += 1 } }
            }
        }
    }

    /// A writer that died in the middle of a change leaves a mark in the header: everything from before is listed.
    @Test func listingBesideADeadWriter() throws {
        let scene = try Scene()
        let writer = try scene.store()
        for number in 0..<100 { try writer.set(number, for: "\(number)") }
        for number in 0..<10 { try writer.set(-number, for: "\(number)") }
        try writer.remove("99")
        let reader = try scene.store { $0.readOnly = true }
        let before = try (keys: reader.keys(), count: reader.count, contents: reader.contents())
        // Where the change that is under way would end (docs/formats/mapped.md).
        let file = try FileHandle(forUpdating: URL(filePath: scene.path()))
        defer { try? file.close() }
        try file.seek(toOffset: 1096)
        try file.write(contentsOf: Data([0x10, 0x27, 0, 0, 0, 0, 0, 0]))
        #expect(try reader.keys() == before.keys)
        #expect(try reader.count == before.count)
        #expect(try reader.contents() == before.contents)
        let verification = try reader.verify()
        #expect(verification.intactCount == 99 && verification.damagedKeys.isEmpty && verification.unreadableCount == 0)
    }
}

/// A flag that threads set and look at.
final class Flag: Sendable {
    private let value = Atomic(false)
    func set() { value.store(true, ordering: .releasing) }
    var isSet: Bool { value.load(ordering: .acquiring) }
}
