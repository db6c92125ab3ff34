#if Hummingbird
import CairnHummingbird
import CairnMapped
import CairnTestSupport
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import Testing

/// A logger that is not heard.
let silent = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }

/// What Hummingbird asks of a `PersistDriver`.
@Suite(.endsWhenItHangs) struct PersistDriverTests {
    @Test func aValueIsThereUntilItIsRemoved() async throws {
        let driver = try Scene().driver()
        let session = Session()
        #expect(try await driver.get(key: "a", as: Session.self) == nil)
        try await driver.create(key: "a", value: session)
        #expect(try await driver.get(key: "a", as: Session.self) == session)
        await #expect(throws: PersistError.duplicate) { try await driver.create(key: "a", value: Session(name: "Eve")) }
        #expect(try await driver.get(key: "a", as: Session.self) == session)
        try await driver.set(key: "a", value: Session(name: "Eve"))
        #expect(try await driver.get(key: "a", as: Session.self)?.name == "Eve")
        try await driver.remove(key: "a")
        try await driver.remove(key: "a")
        #expect(try await driver.get(key: "a", as: Session.self) == nil)
        try await driver.create(key: "a", value: 5)
        #expect(try await driver.get(key: "a", as: Int.self) == 5)
    }

    @Test func aValueOfAnotherTypeIsAnInvalidConversion() async throws {
        let driver = try Scene().driver()
        try await driver.set(key: "a", value: "text")
        await #expect(throws: PersistError.invalidConversion) { try await driver.get(key: "a", as: Int.self) }
        await #expect(throws: PersistError.invalidConversion) { try await driver.getWithTTL(key: "a", as: Session.self) }
        // What others keep in the same store.
        try driver.store.set(7, for: "b")
        await #expect(throws: PersistError.invalidConversion) { try await driver.get(key: "b", as: String.self) }
        await #expect(throws: PersistError.duplicate) { try await driver.create(key: "b", value: 1) }
        #expect(try driver.store.get("b") == 7)
    }

    @Test func updatingChangesOnlyWhatIsThere() async throws {
        let scene = try Scene()
        let driver = try scene.driver()
        try await driver.create(key: "a", value: Session(), expires: .seconds(10))
        let updated = try await driver.update(key: "a", as: Session.self) { $0.visits += 1 }
        #expect(updated?.visits == 13)
        #expect(try await driver.getWithTTL(key: "a", as: Session.self)?.ttl == .seconds(10))
        try await driver.set(key: "b", value: 1)
        #expect(try await driver.update(key: "b", as: Int.self) { $0 += 1 } == 2)
        await #expect(throws: PersistError.invalidConversion) { try await driver.update(key: "b", as: String.self) { $0 += "x" } }
        // One that has ended is not made again.
        try await driver.remove(key: "b")
        #expect(try await driver.update(key: "b", as: Int.self) { $0 += 1 } == nil)
        #expect(try await driver.get(key: "b", as: Int.self) == nil)
        scene.clock.pass(10)
        #expect(try await driver.update(key: "a", as: Session.self) { $0.visits += 1 } == nil)
        #expect(try await driver.get(key: "a", as: Session.self) == nil)
    }

    @Test func valuesExpire() async throws {
        let scene = try Scene()
        let driver = try scene.driver()
        try await driver.create(key: "a", value: 1, expires: .seconds(10))
        try await driver.set(key: "b", value: 2, expires: .seconds(20))
        try await driver.set(key: "c", value: 3)
        scene.clock.pass(9.999)
        #expect(try await driver.get(key: "a", as: Int.self) == 1)
        await #expect(throws: PersistError.duplicate) { try await driver.create(key: "a", value: 4) }
        scene.clock.pass(0.001)
        #expect(try await driver.get(key: "a", as: Int.self) == nil)
        #expect(try await driver.getWithTTL(key: "a", as: Int.self) == nil)
        let (value, left) = try #require(try await driver.getWithTTL(key: "b", as: Int.self))
        #expect(value == 2 && left == .seconds(10))
        #expect(try await driver.getWithTTL(key: "c", as: Int.self)?.ttl == nil)
        // An expired value does not stand in the way of a new one.
        try await driver.create(key: "a", value: 5)
        scene.clock.pass(1e6)
        #expect(try await driver.get(key: "a", as: Int.self) == 5)
        #expect(try await driver.get(key: "b", as: Int.self) == nil)
        #expect(try await driver.get(key: "c", as: Int.self) == 3)
    }

    @Test func settingWithoutAnExpiryKeepsTheMoment() async throws {
        let scene = try Scene()
        let driver = try scene.driver()
        try await driver.set(key: "a", value: 1, expires: .seconds(10))
        scene.clock.pass(4)
        try await driver.set(key: "a", value: 2)
        #expect(try await driver.getWithTTL(key: "a", as: Int.self)?.ttl == .seconds(6))
        try await driver.set(key: "a", value: 3, expires: .seconds(60))
        scene.clock.pass(59)
        #expect(try await driver.get(key: "a", as: Int.self) == 3)
        scene.clock.pass(1)
        #expect(try await driver.get(key: "a", as: Int.self) == nil)
        // What has expired is gone, and its moment with it.
        try await driver.set(key: "a", value: 4)
        #expect(try await driver.getWithTTL(key: "a", as: Int.self)?.ttl == nil)
        let store = try scene.store("b.map") { $0.expiresAfter = .seconds(5) }
        let others = MappedPersistDriver(store: store)
        try await others.set(key: "a", value: 1)
        scene.clock.pass(5)
        #expect(try await others.get(key: "a", as: Int.self) == nil)
    }

    @Test func tidyingRemovesWhatHasExpired() async throws {
        let scene = try Scene()
        let driver = try scene.driver(.init(tidyLimit: 70))
        for number in 0..<150 { try await driver.set(key: "short \(number)", value: number, expires: .seconds(10)) }
        for number in 0..<50 { try await driver.set(key: "long \(number)", value: number, expires: .seconds(100)) }
        try await driver.set(key: "ever", value: 1)
        #expect(try await driver.tidy() == 0)
        scene.clock.pass(10)
        let before = try driver.store.liveSize
        #expect(try await driver.tidy() == 70)
        #expect(try await driver.tidy() == 70)
        #expect(try await driver.tidy() == 10)
        #expect(try await driver.tidy() == 0)
        #expect(try driver.store.liveSize < before && driver.store.count == 51)
        #expect(try await driver.get(key: "long 7", as: Int.self) == 7)
    }

    /// Runs a driver as a service while `body` does something, and then has it stop.
    private func serving(_ driver: MappedPersistDriver, _ body: () async throws -> Void) async throws {
        let services = ServiceGroup(services: [driver], logger: silent)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            try await body()
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
    }

    @Test func theServiceTidiesUntilItIsToStop() async throws {
        let scene = try Scene()
        let driver = try scene.driver(.init(tidyFrequency: .milliseconds(1)))
        try await driver.set(key: "a", value: 1, expires: .seconds(10))
        scene.clock.pass(10)
        let before = try driver.store.liveSize
        try await serving(driver) { while try driver.store.liveSize == before { await Task.yield() } }
        // A closed store is an error of each call, not of the service.
        try driver.store.close()
        try await serving(driver) { for _ in 0..<100 { await Task.yield() } }
        await #expect { try await driver.get(key: "a", as: Int.self) } throws: { ($0 as? MappedStoreError)?.code == .closed }
        await #expect { try await driver.set(key: "a", value: 1) } throws: { ($0 as? MappedStoreError)?.code == .closed }
        await #expect { try await driver.tidy() } throws: { ($0 as? MappedStoreError)?.code == .closed }
    }

    /// A process that is stopped in the middle of a change keeps no thread of tasks.
    @Test func changesThatWaitDoSoElsewhere() async throws {
        let scene = try Scene()
        // Other tests may keep the threads of tasks for long.
        let store = try scene.store { $0.busyTimeout = .seconds(600) }
        let driver = MappedPersistDriver(store: store, logger: silent)
        let other = try MappedStore(path: store.path)
        let (isHeld, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let holder = Thread {
            try? other.transaction { changes in
                try changes.set(1, for: "first")
                isHeld.signal()
                mayGoOn.wait()
            }
        }
        holder.start()
        while isHeld.wait(timeout: .now()) != .success { await Task.yield() }
        #expect(try driver.store.isBeingChanged)
        try await withThrowingTaskGroup(of: Void.self) { group in
            // More than there are threads for tasks.
            for number in 0..<3 * ProcessInfo.processInfo.activeProcessorCount {
                group.addTask { try await driver.set(key: "\(number)", value: number) }
            }
            // Tasks still run.
            for _ in 0..<10 { await Task { await Task.yield() }.value }
            #expect(try await driver.get(key: "0", as: Int.self) == nil)
            mayGoOn.signal()
            try await group.waitForAll()
        }
        #expect(try driver.store.count == 1 + 3 * ProcessInfo.processInfo.activeProcessorCount)
        #expect(try !driver.store.isBeingChanged)
    }

    @Test func aServiceThatDoesNotTidyRunsUntilItIsToStop() async throws {
        let scene = try Scene()
        let driver = try scene.driver(.init(tidyFrequency: .zero))
        try await driver.set(key: "a", value: 1, expires: .seconds(10))
        scene.clock.pass(10)
        let before = try driver.store.liveSize
        try await serving(driver) { () throws in
            for _ in 0..<100 { await Task.yield() }
            #expect(try driver.store.liveSize == before)
        }
    }

    @Test func aDamagedValueCountsAsMissing() async throws {
        let scene = try Scene()
        let driver = try scene.driver()
        let strict = MappedPersistDriver(store: driver.store, configuration: .init(damagedValues: .fail), logger: silent)
        for key in ["read", "create", "set", "keep"] { try await driver.set(key: key, value: "value of \(key)", expires: .seconds(60)) }
        for key in ["read", "create", "set"] { try damage("value of \(key)", in: driver.store.path) }
        for call in 0..<3 {
            await #expect {
                switch call {
                case 0: _ = try await strict.get(key: "read", as: String.self)
                case 1: _ = try await strict.getWithTTL(key: "read", as: String.self)
                default: try await strict.create(key: "create", value: "new")
                }
            } throws: { ($0 as? MappedStoreError)?.code == .corruption }
        }
        #expect(try await driver.get(key: "read", as: String.self) == nil)
        #expect(try await driver.getWithTTL(key: "read", as: String.self) == nil)
        try await driver.create(key: "create", value: "new")
        await #expect(throws: PersistError.duplicate) { try await driver.create(key: "create", value: "newer") }
        try await driver.set(key: "set", value: "new")
        #expect(try await driver.get(key: "create", as: String.self) == "new")
        #expect(try await driver.get(key: "set", as: String.self) == "new")
        #expect(try await driver.get(key: "keep", as: String.self) == "value of keep")
    }

    @Test func aFullStoreIsAnErrorThatChangesNothing() async throws {
        let driver = MappedPersistDriver(store: try Scene().store { $0.maximumSize = .kibibytes(128) }, logger: silent)
        var count = 0
        await #expect {
            while true {
                try await driver.set(key: "\(count)", value: [String](repeating: "session", count: 200))
                count += 1
            }
        } throws: { ($0 as? MappedStoreError)?.code == .tooLarge }
        #expect(count > 10)
        for number in 0..<count { #expect(try await driver.get(key: "\(number)", as: [String].self)?.count == 200) }
        #expect(try await driver.get(key: "\(count)", as: [String].self) == nil)
    }

    @Test func aSyncedStoreAndItsPermissions() async throws {
        let scene = try Scene()
        let driver = MappedPersistDriver(store: try scene.store { $0.durability = .synced }, logger: silent)
        try await driver.create(key: "a", value: 1, expires: nil)
        await #expect(throws: PersistError.duplicate) { try await driver.create(key: "a", value: 1) }
        try await driver.set(key: "a", value: 2)
        #expect(try await driver.get(key: "a", as: Int.self) == 2)
        try await driver.remove(key: "a")
        #expect(try await driver.get(key: "a", as: Int.self) == nil)
        let attributes = try FileManager.default.attributesOfItem(atPath: driver.store.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }
}
#endif
