import CairnMapped
import CairnTestSupport
import Foundation
import Testing

/// Removing what has expired, and what is oldest.
struct TidyTests {
    @Test(arguments: [false, true])
    func whatHasExpiredIsRemoved(isEncrypted: Bool) throws {
        let scene = try Scene()
        let clock = HandClock()
        let store = try scene.store {
            $0.now = { clock.now }
            if isEncrypted { $0.cipher = TestCipher(7) }
        }
        #expect(try store.removeExpired() == 0)
        for number in 0..<200 { try store.set(number, for: "\(number)", expiresAfter: .seconds(number < 150 ? 10 : 100)) }
        try store.set(1, for: "ever")
        #expect(try store.removeExpired() == 0)
        clock.pass(10)
        let before = try store.liveSize
        #expect(try store.removeExpired(limit: 0) == 0)
        #expect(try store.removeExpired(limit: 100) == 100)
        #expect(try store.removeExpired() == 50)
        #expect(try store.liveSize < before && store.count == 51 && store.verify().isIntact)
        #expect(try store.get("150") == 150 && store.get("ever") == 1)
        // Now it is waste.
        try store.set(2, for: "150")
        clock.pass(90)
        #expect(try store.removeExpired() == 49)
        #expect(try store.contents().keys.sorted() == ["150", "ever"])
    }

    /// Values are set again while they are removed: the new ones stay.
    @Test func whatIsSetAgainStays() async throws {
        let scene = try Scene()
        let store = try scene.store()
        for round in 0..<20 {
            for key in 0..<300 { try store.set(-1, for: "\(key)", expiresAfter: .zero) }
            try await onThreads(3) { thread in
                guard thread > 0 else { return try (0..<300).forEach { try store.set(round, for: "\($0)") } }
                try store.removeExpired()
            }
            #expect(try store.contents().count == 300)
            _ = try store.remove(contentsOf: (0..<300).map { "\($0)" })
        }
    }

    @Test(arguments: [false, true])
    func theOldestAreRemoved(isEncrypted: Bool) throws {
        let scene = try Scene()
        let store = try scene.store { if isEncrypted { $0.cipher = TestCipher(7) } }
        for number in 0..<100 { try store.set([UInt8](repeating: 1, count: 10_000), for: "\(number)") }
        try store.set([UInt8](repeating: 2, count: 10_000), for: "3")
        #expect(try store.removeOldest(downTo: .mebibytes(2)) == 0 && store.removeOldest(downTo: .bytes(.max)) == 0)
        let limit = ByteCount.bytes(try store.liveSize.bytes / 2)
        #expect((49...52).contains(try store.removeOldest(downTo: limit)))
        #expect(try store.liveSize <= limit && store.verify().isIntact)
        let keys = try store.keys()
        #expect(keys.last == "3" && keys.dropLast() == (100 - keys.count + 1..<100).map { "\($0)" }[...])
        #expect(try store.removeOldest(downTo: .zero) == keys.count)
        #expect(try store.isEmpty)
        try store.set(1, for: "a")
        #expect(try store.removeOldest(downTo: .bytes(.min)) == 1)
    }

    /// A server that stops while its cache makes room.
    @Test(arguments: [false, true])
    func closingEndsARemoval(ofExpired: Bool) async throws {
        let scene = try Scene()
        let store = try scene.store()
        for number in 0..<5000 { try store.set([UInt8](repeating: 1, count: 100), for: "\(number)", expiresAfter: ofExpired ? .zero : nil) }
        let size = try store.liveSize
        try await onThreads(2) { thread in
            if thread == 0 {
                let found = code { _ = try ofExpired ? store.removeExpired() : store.removeOldest(downTo: .zero) }
                #expect(found == .closed || found == nil)
            } else {
                while try store.liveSize == size { sched_yield() }
                try store.close()
            }
        }
        #expect(try scene.store().verify().isIntact)
    }

    @Test func storesThatCannotBeChanged() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.set(1, for: "a", expiresAfter: .zero)
        try store.set(2, for: "b")
        let reader = try scene.store { $0.readOnly = true }
        #expect(code { try reader.removeExpired() } == .readOnly && code { try reader.removeOldest(downTo: .zero) } == .readOnly)
        #expect(code { try store.transaction { _ in try store.removeExpired() } } == .busy)
        try store.close()
        #expect(code { try store.removeExpired() } == .closed && code { try store.removeOldest(downTo: .zero) } == .closed)
    }
}
