import CairnMapped
import CairnTestSupport
import Foundation
import Observation
import Synchronization
import Testing

extension ChangeTests {
    // MARK: Values

    @Test func valuesAsTheyChange() async throws {
        let other = try open(), store = try open()
        var launches = try store.values(of: MappedKey("launches", default: 0)).makeAsyncIterator()
        var name = try store.values(of: "name", as: String.self).makeAsyncIterator()
        #expect(try await launches.next() == 0)
        #expect(try await name.next() == .some(nil))
        for (number, changer) in [store, other, store].enumerated() {
            try changer.set("x\(number)", for: "name")
            try changer.set(number + 1, for: "launches")
            #expect(try await launches.next() == number + 1)
            #expect(try await name.next() == "x\(number)")
        }
        try other.remove("launches")
        #expect(try await launches.next() == 0)
        try other.compact()
        try other.set(9, for: "launches")
        #expect(try await launches.next() == 9)
        try other.removeAll()
        #expect(try await name.next() == .some(nil))
        #expect(try await launches.next() == 0)
        try other.set("x", for: "launches")
        await #expect(throws: MappedStoreError.self) { try await launches.next() }
    }

    @Test func theNewestOfManyValues() async throws {
        let other = try open(), store = try open()
        try store.set(5, for: "a")
        var values = try store.values(of: MappedKey("a", default: 0)).makeAsyncIterator()
        for number in 6..<100 { try other.set(number, for: "a") }
        #expect(try await values.next() == 99)
        for number in 100..<200 { try other.set(number, for: "a") }
        #expect(try await values.next() == 199)
    }

    // MARK: Objects

    @Test func observing() async throws {
        let other = try open(), store = try open()
        let observed = try MappedObserved(MappedKey("a", default: 0), in: store)
        for (number, changer) in [store, other, store, other].enumerated() {
            await withCheckedContinuation { continuation in
                let before = withObservationTracking {
                    observed.value
                } onChange: {
                    continuation.resume()
                }
                #expect(before == number)
                try! changer.set(number + 1, for: "a")
            }
            // Observers are notified just before it changes.
            while observed.value == number { await Task.yield() }
            #expect(observed.value == number + 1)
        }
        let isNotified = Mutex(false)
        withObservationTracking {
            _ = observed.value
        } onChange: {
            isNotified.withLock { $0 = true }
        }
        observed.value = 9
        #expect(try observed.value == 9 && other.get("a") == 9)
        #expect(isNotified.withLock { $0 })
    }

    @Test func failuresOfObservedValuesAreTold() async throws {
        let failures = Failures()
        let store = try MappedStore(path: directory.path("b.map"), options: failures.options)
        let observed = try MappedObserved(MappedKey("a", default: 0), in: store)
        observed.value = 3
        try store.set("text", for: "a")
        while failures.codes.isEmpty { await Task.yield() }
        #expect(observed.value == 3)
        try store.close()
        observed.value = 4
        #expect(failures.codes.last == .closed && observed.value == 3)
        #expect(code { try observed.set(4) } == .closed)
        #expect(code { try MappedObserved(MappedKey("a", default: 0), in: store) } == .closed)
    }

    @Test func anObservedValueThatCannotBeFollowed() async throws {
        let failures = Failures(), other = try open()
        try other.set(3, for: "a")
        let store = try MappedStore(path: directory.path("a.map"), options: failures.options)
        let observed = try MappedObserved(MappedKey("a", default: 0), in: store)
        try other.rekey(to: TestCipher(7))
        while failures.codes.isEmpty { await Task.yield() }
        #expect(failures.codes.first == .keyNeeded && observed.value == 3)
        try other.rekey(to: nil)
        try other.set(4, for: "a")
        _ = try store.changes()
        try other.set(5, for: "a")
        while observed.value != 5 { await Task.yield() }
    }

    @Test func closingWhereAChangeIsTold() async throws {
        let store = try open()
        let observed = try MappedObserved(MappedKey("a", default: 0), in: store)
        let result: Result<Void, any Error> = await withCheckedContinuation { continuation in
            withObservationTracking {
                _ = observed.value
            } onChange: {
                continuation.resume(returning: Result { try store.close() })
            }
            try! store.set(1, for: "a")
        }
        try result.get()
        #expect(code { try store.get("a", as: Int.self) } == .closed)
    }

    // MARK: A copy that follows

    @Test func aCopyThatFollowsIsRightInTheEnd() async throws {
        try await withSeeds("a copy that follows", count: Thorough.count(2, of: 4)) { generator in
            let path = directory.path("copy\(UInt64.random(in: 0 ... .max, using: &generator)).map")
            let open: @Sendable () throws -> MappedStore = {
                var options = MappedStoreOptions()
                options.compaction = .manual
                options.busyTimeout = .seconds(60)
                return try MappedStore(path: path, options: options, fileSystem: .quick)
            }
            let store = try open()
            let changes = try store.changes(limit: Int.random(in: 1...200, using: &generator))
            let seed = UInt64.random(in: 0 ... .max, using: &generator)
            let follower = Task {
                var copy: [String: Int] = [:]
                for try await change in changes {
                    switch change {
                    case .set(let key), .removed(let key): copy[key] = try store.get(key)
                    case .everything:
                        copy = [:]
                        for key in try store.keys() { copy[key] = try store.get(key) }
                    }
                    if copy["end"] != nil { break }
                }
                return copy
            }
            try await onThreads(3) { number in
                var generator = SeededGenerator(seed: seed &+ UInt64(number))
                let store = try open()
                for step in 0..<400 {
                    let key = "key\(Int.random(in: 0..<20, using: &generator))"
                    switch Int.random(in: 0..<100, using: &generator) {
                    case 0:
                        // Another may be at it.
                        do throws(MappedStoreError) { try store.compact() } catch {
                            guard [.busy, .conflict].contains(error.code) else { throw error }
                        }
                    case 1 where number == 0:
                        do throws(MappedStoreError) { try store.removeAll() } catch {
                            guard [.busy, .conflict].contains(error.code) else { throw error }
                        }
                    case 2..<30: try store.remove(key)
                    case 30..<40:
                        try store.transaction { changes in
                            for number in 0..<3 { try changes.set(step, for: "key\(number)") }
                        }
                    default: try store.set(step, for: key)
                    }
                }
            }
            try store.set(1, for: "end")
            let copy = try await follower.value
            var real: [String: Int] = [:]
            for key in try store.keys() { real[key] = try store.get(key) }
            #expect(copy == real)
        }
    }
}
