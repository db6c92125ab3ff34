import CairnCore
import CairnMapped
import CairnTestSupport
import Foundation
import Testing

/// Others remove or replace the file of an open store: changes do not get lost without a word. What stores replace themselves is theirs.
struct PlaceTests {
    enum Event: CaseIterable {
        case removal, move, replacementByAStore, replacementByAnotherFile

        func happen(in scene: Scene) throws {
            switch self {
            case .removal: try FileManager.default.removeItem(atPath: scene.path())
            case .move: try FileManager.default.moveItem(atPath: scene.path(), toPath: scene.path("moved.map"))
            case .replacementByAStore:
                let other = try scene.store("other.map")
                try other.set("other", for: "a")
                try other.close()
                try scene.write(try scene.bytes("other.map"))
            case .replacementByAnotherFile: try scene.write(Array("a letter".utf8))
            }
        }

        var words: String { self == .removal || self == .move ? "was removed or moved" : "was replaced by another file" }
    }

    enum Occasion: CaseIterable { case sync, growth, growthOfTheIndex, transaction, verification, compaction, emptying, synced, closing }

    private func come(_ occasion: Occasion, to store: MappedStore) throws {
        switch occasion {
        case .sync: try store.sync()
        case .growth: for number in 0..<100 { try store.set([UInt8](repeating: 1, count: 20_000), for: "\(number % 10)") }
        case .growthOfTheIndex: for number in 0..<1000 { try store.set(number, for: "\(number)") }
        case .transaction: try store.transaction { try $0.set([UInt8](repeating: 1, count: 2 << 20), for: "large") }
        case .verification: _ = try store.verify()
        case .compaction: try store.compact()
        case .emptying: try store.removeAll()
        case .synced: try store.set(3, for: "a")
        case .closing: try store.close()
        }
    }

    @Test(arguments: Event.allCases, Occasion.allCases) func itIsReported(event: Event, occasion: Occasion) throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try scene.store { if occasion == .synced { $0.durability = .synced } }
        try store.set(1, for: "a")
        try event.happen(in: scene)
        // Nothing found out yet.
        if occasion != .synced { try store.set(2, for: "a") }
        let error = failure { try come(occasion, to: store) }
        #expect(error?.code == .replaced, "\(String(describing: error))")
        let message =
            "\(scene.path()) \(event.words) while the store was open: changes made since then are not in the file at this path. "
            + "To keep them, back the store up to "
        #expect(error?.message == message + "another path. Close the store and open it again", "\(String(describing: error))")
        guard occasion != .closing else {
            #expect(code { try store.get("a", as: Int.self) } == .closed)
            return
        }
        // From then on, changes are refused; what is there can be read and saved.
        #expect(code { try store.set(4, for: "a") } == .replaced && code { try store.remove("a") } == .replaced)
        #expect(code { try store.transaction { try $0.set(4, for: "a") } } == .replaced && code { try store.sync() } == .replaced)
        #expect(code { try store.compact() } == .replaced && code { try store.verify() } == .replaced)
        let last = occasion == .synced ? 3 : 2
        #expect(try store.get("a") == last && store.keys().contains("a") && store.entries().contains { $0.value == .int(Int128(last)) })
        try store.backup(to: scene.path("saved.map"))
        // It was reported: closing is not an error again.
        try store.close()
        #expect(try scene.store("saved.map").get("a") == last)
        if event != .replacementByAnotherFile {
            #expect(try scene.store().get("a", as: String.self) == (event == .replacementByAStore ? "other" : nil))
        }
    }

    /// Opening a store at the path, however it is spelled, lets another store of this process find out at once.
    @Test(arguments: Event.allCases.filter { $0 != .replacementByAnotherFile }, ["a.map", "./a.map", "link/a.map"])
    func whoOpensTheNewFileTellsOthers(event: Event, name: String) throws {
        let scene = try Scene(fileSystem: .unsynced)
        try FileManager.default.createSymbolicLink(atPath: scene.path("link"), withDestinationPath: ".")
        let (old, idle, reader) = (try scene.store(), try scene.store(), try scene.store { $0.readOnly = true })
        try old.set(1, for: "a")
        try idle.sync()
        try event.happen(in: scene)
        let new = try scene.store(name)
        let error = failure { try old.set(2, for: "a") }
        // By the new file, whatever happened before.
        let words = "was replaced by another file"
        #expect(error?.code == .replaced && error?.message.contains(words) == true, "\(String(describing: error))")
        #expect(code { try old.remove("a") } == .replaced && code { try old.transaction { try $0.set(2, for: "b") } } == .replaced)
        #expect(try old.keys() == ["a"] && old.get("a") == 1 && reader.get("a") == 1)
        try new.set("new", for: "a")
        #expect(try new.get("a") == "new" && old.get("a") == 1)
        // No call of this one has reported it, and it has lost nothing: it was synced after the last change.
        try idle.close()
        try old.close()
        try reader.close()
        try new.sync()
        try new.close()
    }

    /// Closing reports what another store has found out, if changes were made that are not at the path.
    @Test func closingReportsWhatOthersFoundOut() throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try scene.store()
        try store.set(1, for: "a")
        try Event.removal.happen(in: scene)
        let new = try scene.store()
        #expect(code { try store.close() } == .replaced)
        try new.close()
    }

    /// A backup that takes the place of the file lets its store find out at once, too.
    @Test func aBackupInPlaceOfTheFileTellsItsStore() throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try scene.store()
        try store.set(1, for: "a")
        try Event.removal.happen(in: scene)
        try store.backup(to: scene.path())
        #expect(code { try store.set(2, for: "a") } == .replaced)
        try store.close()
        #expect(try scene.store().get("a") == 1)
    }

    /// A file that a store has replaced is nobody's loss, even to a store that has not noticed yet when another is opened.
    @Test func whoOpensWhatAStoreReplacedTellsNobody() throws {
        let scene = try Scene(fileSystem: .unsynced)
        let (one, two) = (try scene.store(), try scene.store())
        try two.set(1, for: "a")
        try one.compact()
        let three = try scene.store()
        try two.set(2, for: "a")
        #expect(try three.get("a") == 2)
        for store in [one, two, three] { try store.close() }
    }

    /// Stores that are released, not closed, while others are opened at the same path.
    @Test func storesAreReleasedWhileOthersAreOpened() async throws {
        let scene = try Scene(fileSystem: .unsynced)
        let rounds = Thorough.count(200, of: 2_000)
        try await onThreads(4) { thread in
            for round in 0..<rounds { try scene.store().set(round, for: "\(thread)") }
        }
        #expect(try scene.store().count == 4)
    }

    /// A backup can be put where the file was.
    @Test func theStoreCanBePutBack() throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try scene.store()
        try store.set(1, for: "a")
        try Event.removal.happen(in: scene)
        try store.set(2, for: "a")
        #expect(code { try store.sync() } == .replaced)
        try store.backup(to: scene.path())
        try store.close()
        #expect(try scene.store().get("a") == 2)
    }

    /// Without a change since, nothing was lost but the file.
    @Test(arguments: Event.allCases) func closingWithoutChangesIsNoError(event: Event) throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try scene.store()
        try store.set(1, for: "a")
        try store.sync()
        try event.happen(in: scene)
        #expect(try store.get("a") == 1)
        try store.close()
    }

    @Test(arguments: Event.allCases) func readersVerify(event: Event) throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try scene.store()
        try store.set(1, for: "a")
        try store.sync()
        let reader = try scene.store { $0.readOnly = true }
        try event.happen(in: scene)
        let error = failure { try reader.verify() }
        #expect(error?.code == .replaced && error?.message.contains(event.words) == true)
        #expect(try reader.get("a") == 1)
        #expect(code { try reader.set(1, for: "a") } == .readOnly)
        try reader.close()
    }

    /// While there are listeners, it is noticed without any call.
    @Test(arguments: [false, true]) func listenersAreTold(readOnly: Bool) async throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try scene.store()
        try store.set(1, for: "a")
        let follower = readOnly ? try scene.store { $0.readOnly = true } : store
        let changes = try follower.changes()
        try Event.replacementByAStore.happen(in: scene)
        var code: MappedStoreError.Code?
        do { for try await _ in changes {} } catch { code = error.code }
        #expect(code == .replaced)
        // The other store finds out by itself.
        if readOnly { try store.set(2, for: "a") }
        #expect(failure { readOnly ? try store.sync() : try store.set(2, for: "a") }?.code == .replaced)
        try store.close()
    }

    /// Stores that compact, restore, empty and rekey the file take each other along.
    @Test func whatStoresReplaceIsNotLost() throws {
        let scene = try Scene(fileSystem: .unsynced)
        let one = try scene.store()
        try one.set(1, for: "a")
        try one.backup(to: scene.path("backup.map"))
        let replacements: [(MappedStore) throws -> Void] = [
            { try $0.compact() }, { try $0.removeAll() }, { try $0.restore(from: scene.path("backup.map")) }, { try $0.rekey(to: nil) },
        ]
        for replace in replacements {
            for occasion in Occasion.allCases where occasion != .emptying {
                let store = try scene.store { if occasion == .synced { $0.durability = .synced } }
                let reader = try scene.store { $0.readOnly = true }
                try store.set(2, for: "a")
                try replace(one)
                try come(occasion, to: store)
                if occasion != .closing { try store.set(2, for: "a") }
                try store.close()
                _ = try reader.verify()
                try reader.close()
            }
        }
        try one.sync()
        try one.close()
    }

    /// The current directory changes while a store with a relative path is open: to one where nothing has that path, and to one where another store has.
    @Test func theCurrentDirectoryMayChange() async {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            let files = FileManager.default
            for name in ["home", "empty", "other"] {
                try files.createDirectory(atPath: scene.path(name), withIntermediateDirectories: false)
            }
            let other = try scene.store("other/a.map")
            try other.set("other", for: "a")
            try other.close()
            must(files.changeCurrentDirectoryPath(scene.path("home")))
            var options = MappedStoreOptions()
            options.compaction = .manual
            let store = try MappedStore(path: "a.map", options: options)
            let second = try MappedStore(path: "a.map", options: options)
            let reader = try scene.store("home/a.map") { $0.readOnly = true }
            for name in ["empty", "other"] {
                must(files.changeCurrentDirectoryPath(scene.path(name)))
                try store.set(name, for: "a")
                try store.backup(to: "backup.map")
                must(files.fileExists(atPath: scene.path("\(name)/backup.map")), "a backup is made where the process is now")
                try store.compact()
                // Others find the new file.
                must(try second.get("a") == name && reader.get("a") == name)
                try second.removeAll()
                must(try store.isEmpty)
                try store.restore(from: "backup.map")
                try store.rekey(to: nil)
                try second.sync()
                must(try second.get("a") == name && reader.get("a") == name && store.verify().isIntact)
            }
            try store.close()
            try second.close()
            must(try scene.store("other/a.map").get("a") == "other")
            must(try scene.store("home/a.map").get("a") == "other")
            let names = try ["home", "empty"].map { try files.contentsOfDirectory(atPath: scene.path($0)) }
            must(names == [["a.map"], ["backup.map"]], "\(names)")
        }
    }

    /// Threads compact and sync the same file through stores of their own.
    @Test func replacingAndLookingAtTheSameTime() async throws {
        let scene = try Scene(fileSystem: .unsynced)
        let rounds = Thorough.count(60, of: 600)
        try await onThreads(4) { thread in
            for round in 0..<rounds {
                let store = try scene.store()
                try store.set(round, for: "\(thread)")
                if thread == 0 {
                    if let code = code({ try store.compact() }), code != .busy { throw Mismatch("compacting: \(code)") }
                } else {
                    try store.sync()
                    if round % 8 == 0 { _ = try store.verify() }
                }
                try store.set(-round, for: "\(thread)")
                try store.close()
            }
        }
        #expect(try scene.store().count == 4)
    }
}
