import CairnMapped
import CairnTestSupport
import Foundation
import Synchronization
import Testing

struct SharingTests {
    @Test func closingEndsEverythingButClosing() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.set(1, for: "a")
        try store.close()
        try store.close()
        #expect(code { try store.get("a", as: Int.self) } == .closed)
        #expect(code { try store.set(1, for: "a") } == .closed)
        #expect(code { try store.remove("a") } == .closed)
        #expect(code { try store.contains("a") } == .closed)
        #expect(code { try store.count } == .closed)
        #expect(code { try store.keys() } == .closed)
        #expect(code { try store.entries() } == .closed)
        #expect(code { try store.expiry(of: "a") } == .closed)
        #expect(code { try store.withValue(for: "a") { _, _ in } } == .closed)
        #expect(code { try store.transaction { _ in } } == .closed)
        #expect(code { try store.compact() } == .closed)
        #expect(code { try store.removeAll() } == .closed)
        #expect(code { try store.rekey(to: nil) } == .closed)
        #expect(code { try store.sync() } == .closed)
        #expect(code { try store.verify() } == .closed)
        #expect(code { try store.fileSize } == .closed)
        #expect(code { try store.liveSize } == .closed)
        // Calls that have nothing to do, too.
        #expect(code { try store.multiGet([], as: Int.self) } == .closed)
        #expect(code { try store.set(contentsOf: [String: Int]()) } == .closed)
        #expect(code { try store.remove(contentsOf: []) } == .closed)
        #expect(try scene.names() == ["a.map"])
        #expect(try scene.store().get("a") == 1)
    }

    @Test func closingIsRefusedWithinClosures() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.set(1, for: "a")
        try store.forEach { _ throws(MappedStoreError) in #expect(code { try store.close() } == .busy) }
        _ = try store.withValue(for: "a") { _, _ in #expect(code { try store.close() } == .busy) }
        try store.update("a", default: 0) { _ in #expect(code { try store.close() } == .busy) }
        #expect(try store.get("a") == 1)
        try store.close()
    }

    @Test func twoStoresOnOnePath() throws {
        let scene = try Scene()
        let one = try scene.store()
        let two = try scene.store()
        for number in 0..<300 {
            let (writer, reader) = number % 2 == 0 ? (one, two) : (two, one)
            try writer.set(number, for: "n")
            try writer.set([UInt8](repeating: 0, count: 5_000), for: "\(number)")
            if number % 70 == 69 { try writer.compact() }
            if try reader.get("n") != number { Issue.record("\(number) was not seen") }
        }
        #expect(try one.contents() == two.contents() && one.count == 301)
        try one.removeAll()
        #expect(try two.isEmpty)
        try two.set(1, for: "after")
        #expect(try one.get("after") == 1)
        try one.close()
        #expect(try two.get("after") == 1)
    }

    /// Longer than a number of seconds can say.
    @Test func waitingWithoutEnd() async throws {
        let scene = try Scene()
        let store = try scene.store { $0.busyTimeout = .seconds(1e20) }
        try await onThreads(2) { thread in
            for number in 0..<Thorough.count(200, of: 2_000) { try store.set(number, for: "\(thread)") }
        }
        #expect(try store.count == 2)
    }

    @Test func theFileIsNobodyElses() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.set(1, for: "a")
        let mode = try FileManager.default.attributesOfItem(atPath: scene.path())[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: scene.path())
        try store.compact()
        let later = try FileManager.default.attributesOfItem(atPath: scene.path())[.posixPermissions] as? Int
        #expect(later == 0o640)
    }

    @Test func aFileThatIsRemovedOrReplacedWhileOpen() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.set(1, for: "a")
        try FileManager.default.removeItem(atPath: scene.path())
        // The store continues with what it has, as with any open file.
        #expect(try store.get("a") == 1)
        try store.set(2, for: "a")
        #expect(try store.get("a") == 2)
        let other = try scene.store()
        #expect(try other.isEmpty)
        try other.set("other", for: "b")
        // But it does not take the place of another file.
        #expect(code { try store.compact() } == .replaced)
        #expect(code { try store.removeAll() } == .replaced)
        try store.close()
        #expect(try other.keys() == ["b"] && scene.store().keys() == ["b"] && scene.names() == ["a.map"])
    }

    /// A link to a valuable file may be where the temporary file goes.
    @Test func linksInThePlaceOfTemporaryFilesAreNotFollowed() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.set(1, for: "a")
        try scene.write(Array("a letter".utf8), "letter")
        for name in [".a.map.compact", ".b.map.backup"] {
            try FileManager.default.createSymbolicLink(atPath: scene.path(name), withDestinationPath: "letter")
        }
        #expect(code { try store.compact() } != nil)
        #expect(code { try store.backup(to: scene.path("b.map")) } != nil)
        #expect(try scene.bytes("letter") == Array("a letter".utf8))
        #expect(try store.get("a") == 1 && scene.names() == [".a.map.compact", ".b.map.backup", "a.map", "letter"])
    }

    @Test func aSymbolicLinkIsFollowed() throws {
        let scene = try Scene()
        let store = try scene.store()
        try FileManager.default.createSymbolicLink(atPath: scene.path("link"), withDestinationPath: "a.map")
        let other = try scene.store("link")
        try other.set(1, for: "a")
        try other.compact()
        try other.set(2, for: "b")
        #expect(try store.keys() == ["a", "b"] && scene.names() == ["a.map", "link"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scene.path("link")) == "a.map")
    }

    /// Threads write keys of their own and read all, through three stores, while the file is compacted all the time.
    @Test func threadsReadAndWriteWhileTheFileIsWrittenAnew() async throws {
        let scene = try Scene()
        let stores = try (0..<3).map { _ in try scene.store { $0.compaction = .init(wasteRatio: 0.2, minimumWaste: .kibibytes(8)) } }
        let writers = Atomic(4)
        try await onThreads(7) { thread in
            let store = stores[thread % 3]
            if thread < 4 {
                defer { writers.subtract(1, ordering: .relaxed) }
                for round in 0..<Thorough.count(100, of: 300) {
                    for slot in 0..<5 { try store.set([UInt8](repeating: UInt8(slot), count: round % 97 + slot), for: "\(thread) \(slot)") }
                    let slot = round % 5
                    try match(try store.valueSize(of: "\(thread) \(slot)"), round % 97 + slot, "a thread's own value")
                    if round % 50 == 0 { try store.remove("\(thread) 0") }
                }
            } else {
                while writers.load(ordering: .relaxed) > 0 {
                    for entry in try store.entries() {
                        let slot = UInt8(entry.key.suffix(1))!
                        guard case .bytes(let bytes) = entry.value, bytes.allSatisfy({ $0 == slot }) else {
                            throw Mismatch("\(entry.key) is torn")
                        }
                    }
                    let value: [UInt8] = try store.get("0 3") ?? []
                    try match(value.allSatisfy { $0 == 3 }, true, "a value read alone is whole")
                    _ = try store.keys()
                }
            }
        }
        #expect(try stores[0].verify().isIntact && stores[0].contents() == stores[1].contents())
    }

    /// Closing waits for the calls under way; all later ones are refused.
    @Test func closingWhileOthersCall() async throws {
        for round in 0..<Thorough.count(6, of: 20) {
            let scene = try Scene()
            let store = try scene.store { $0.compaction = .init(wasteRatio: 0.1, minimumWaste: .kibibytes(4)) }
            try await onThreads(4) { thread in
                if thread == 0 {
                    for number in 0..<(round * 20) { try store.set(number, for: "n") }
                    try store.close()
                    return
                }
                while true {
                    do throws(MappedStoreError) {
                        if thread == 1 {
                            try store.set([UInt8](repeating: 1, count: 100), for: "x")
                        } else {
                            _ = try store.get("x", as: [UInt8].self)
                        }
                    } catch {
                        guard error.code == .closed else { throw error }
                        return
                    }
                }
            }
            let again = try scene.store()
            #expect(try again.verify().isIntact)
        }
    }

    /// More threads at once than there are lines to count them on: what each was lent stays as it is while the file is compacted, and
    /// closing knows of all of them.
    @Test func manyThreadsHoldWhatTheyWereLent() async throws {
        let scene = try Scene()
        let store = try scene.store { $0.compaction = .manual }
        let count = 100
        for thread in 0..<count { try store.set([UInt8](repeating: UInt8(thread), count: 500), for: "\(thread)") }
        let lent = Atomic(0)
        let isOver = Atomic(false)
        // Twice, so that threads get the lines of those that ended.
        for round in 1...2 {
            lent.store(0, ordering: .relaxed)
            isOver.store(false, ordering: .relaxed)
            try await onThreads(count + 1) { thread in
                if thread == count {
                    defer { isOver.store(true, ordering: .releasing) }
                    while lent.load(ordering: .acquiring) < count { sched_yield() }
                    for other in 0..<count { try store.set(round, for: "\(other)") }
                    try store.compact()
                    do throws(MappedStoreError) { try store.close() } catch {
                        return try match(error.code, .busy, "closing while bytes are lent")
                    }
                    throw Mismatch("the store was closed while bytes were lent")
                }
                try store.withValue(for: "\(thread)") { bytes, _ in
                    let before = [UInt8](copying: bytes)
                    lent.add(1, ordering: .releasing)
                    while !isOver.load(ordering: .acquiring) { sched_yield() }
                    try match([UInt8](copying: bytes), before, "what was lent")
                }
            }
        }
        #expect(try store.get("7") == 2)
        try store.close()
    }
}
