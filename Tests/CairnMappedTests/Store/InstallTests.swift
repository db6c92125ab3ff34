import CairnTestSupport
import Foundation
import Synchronization
import Testing

@testable import CairnMapped

/// The steps in which a rewritten file takes the place of the old one (see `MappedStore.install`).
struct InstallTests {
    /// Looks at the old file when the new one is renamed.
    private final class Renaming: SystemCallObserver {
        private let disk: FaultInjectingFileSystem
        private let look = Mutex<(@Sendable () -> Void)?>(nil)

        init(_ disk: FaultInjectingFileSystem) { self.disk = disk }

        func beforeAndAfter(_ body: @escaping @Sendable () -> Void) { look.withLock { $0 = body } }

        func intercept(_ call: SystemCall, perform: (Int) -> Int) -> Int {
            let look = call.kind == .rename ? look.withLock { $0 } : nil
            look?()
            defer { look?() }
            return disk.intercept(call, perform: perform)
        }
    }

    private let scene: Scene
    private let disk: FaultInjectingFileSystem
    private let renaming: Renaming

    init() throws {
        scene = try Scene()
        disk = try FaultInjectingFileSystem(scene.directory.path)
        renaming = Renaming(disk)
    }

    private func store(_ durability: Durability = .buffered) throws -> MappedStore {
        var options = MappedStoreOptions()
        options.compaction = .manual
        options.durability = durability
        let store = try MappedStore(path: scene.path(), options: options, fileSystem: FileSystem(observer: renaming))
        try store.set("value", for: "a")
        return store
    }

    /// A process that syncs the old file notices from before the rename on that it may not be the store.
    @Test func theOldFileIsEndingWhenTheNewOneGetsItsName() throws {
        let store = try store()
        let states = Mutex<[UInt64]>([])
        let old = try store.currentView()
        renaming.beforeAndAfter { states.withLock { unsafe $0.append(old.header.state) } }
        try store.compact()
        #expect(states.withLock { $0 } == [SharedHeader.State.ending, SharedHeader.State.ending])
        #expect(unsafe old.header.state == SharedHeader.State.replaced)
        #expect(unsafe try store.currentView().header.state == SharedHeader.State.current)
    }

    @Test func theOldFileIsTheStoreAgainIfRenamingFails() throws {
        let store = try store()
        let old = try store.currentView()
        disk.inject(Fault(.fail(5), at: 1, of: [.rename]))
        #expect(code { try store.compact() } == .ioError)
        #expect(unsafe old.header.state == SharedHeader.State.current)
        try store.set("new", for: "a")
        #expect(try store.currentView().file === old.file && scene.store().get("a") == "new")
    }
}
