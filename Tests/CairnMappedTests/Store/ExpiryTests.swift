import CairnMapped
import CairnTestSupport
import Foundation
import Testing

struct ExpiryTests {
    @Test func valuesExpireByTheClock() throws {
        let scene = try Scene()
        let clock = HandClock()
        var store = try scene.store { $0.now = { clock.now } }
        try store.set(1, for: "short", expiresAfter: .seconds(10))
        try store.set(2, for: "long", expiresAfter: .seconds(1000))
        try store.set(3, for: "ever")
        #expect(try store.expiry(of: "short") == clock.now + 10 && store.expiry(of: "ever") == nil && store.expiry(of: "none") == nil)
        #expect(try store.count == 3)
        clock.pass(9.999)
        #expect(try store.get("short") == 1)
        clock.pass(0.001)
        for reopened in [false, true] {
            if reopened {
                try store.close()
                store = try scene.store { $0.now = { clock.now } }
            }
            #expect(try store.get("short", as: Int.self) == nil && !store.contains("short") && store.valueType(of: "short") == nil)
            #expect(try store.valueSize(of: "short") == nil && store.expiry(of: "short") == nil)
            #expect(try store.get("short", default: 7) == 7)
            #expect(try store.count == 2 && store.keys() == ["long", "ever"] && store.entries().count == 2)
            #expect(try store.withValue(for: "short") { _, _ in 1 } == nil)
            #expect(try store.transaction { try $0.get("short", as: Int.self) } == nil)
        }
        // It comes back only by being set.
        #expect(try store.remove("short"))
        #expect(try !store.remove("short"))
        try store.set(4, for: "long")
        clock.pass(5000)
        #expect(try store.get("long") == 4 && store.count == 2)
    }

    /// Or else it would last for good.
    @Test func whatExpiresWhileItIsUpdatedKeepsItsDeadline() throws {
        let scene = try Scene()
        let clock = HandClock()
        let store = try scene.store { $0.now = { clock.now } }
        for key in ["default", "optional", "typed"] { try store.set(1, for: key, expiresAfter: .seconds(10)) }
        clock.pass(9.999)
        try store.update("default", default: 0) { value in
            value += 1
            clock.pass(1)
        }
        #expect(try store.get("default", as: Int.self) == nil)
        clock.pass(-1)
        try store.update("optional", as: Int.self) { value in
            value? += 1
            clock.pass(1)
        }
        #expect(try store.get("optional", as: Int.self) == nil)
        clock.pass(-1)
        try store.update(MappedKey("typed", default: 0)) { value in
            value += 1
            clock.pass(1)
        }
        #expect(try store.get("typed", as: Int.self) == nil)
        clock.pass(-1)
        #expect(try store.get("typed", as: Int.self) == 2)
        // What is not there has none.
        try store.update("new", default: 0) { $0 += 1 }
        #expect(try store.expiry(of: "new") == nil)
    }

    @Test func aLifetimeForAllAndExceptions() throws {
        let scene = try Scene()
        let clock = HandClock()
        let store = try scene.store {
            $0.now = { clock.now }
            $0.expiresAfter = .seconds(60)
        }
        try store.set(1, for: "a")
        try store.set(2, for: "b", expiresAfter: .seconds(120))
        // Later than the last representable time: never.
        try store.set(3, for: "c", expiresAfter: .seconds(Int64.max))
        try store.transaction { changes in
            try changes.set(4, for: "d", expiresAfter: .seconds(30))
            try changes.set(5, for: "e")
        }
        try store.update("f", default: 0) { $0 += 1 }
        #expect(try store.expiry(of: "a") == clock.now + 60 && store.expiry(of: "c") == nil && store.expiry(of: "f") == clock.now + 60)
        clock.pass(30)
        #expect(try store.keys() == ["a", "b", "c", "e", "f"])
        clock.pass(30)
        #expect(try store.keys() == ["b", "c"])
        clock.pass(1e9)
        #expect(try store.keys() == ["c"])
    }

    @Test func lifetimesOfNothingAndLess() throws {
        let scene = try Scene()
        let clock = HandClock()
        let store = try scene.store { $0.now = { clock.now } }
        for lifetime in [Duration.zero, .seconds(-5), .seconds(Int64.min), .nanoseconds(-1)] {
            try store.set(1, for: "a", expiresAfter: lifetime)
            #expect(try store.get("a", as: Int.self) == nil, "\(lifetime)")
        }
        try store.transaction { changes in
            try changes.set(2, for: "a", expiresAfter: .zero)
            #expect(try changes.get("a", as: Int.self) == nil)
        }
        #expect(try store.isEmpty)
    }

    /// Longer than a number of milliseconds, or of seconds, can say.
    @Test func lifetimesWithoutEnd() throws {
        let scene = try Scene()
        let store = try scene.store()
        let wraps = Duration(secondsComponent: .max / 1000, attosecondsComponent: 999_000_000_000_000_000)
        for lifetime in [Duration.seconds(1e20), .seconds(Int64.max), wraps] {
            try store.set(1, for: "a", expiresAfter: lifetime)
            #expect(try store.get("a") == 1 && store.expiry(of: "a") == nil, "\(lifetime)")
        }
        try store.set(1, for: "a", expiresAfter: .seconds(-1e20))
        #expect(try store.get("a", as: Int.self) == nil)
    }

    @Test func compactionDropsWhatExpired() throws {
        let scene = try Scene()
        let clock = HandClock()
        var store = try scene.store { $0.now = { clock.now } }
        for number in 0..<50 { try store.set([UInt8](repeating: 1, count: 1000), for: "\(number)", expiresAfter: .seconds(10)) }
        try store.set(1, for: "stays", expiresAfter: .seconds(100))
        let before = try store.liveSize
        clock.pass(10)
        try store.compact()
        #expect(try store.liveSize < before && store.keys() == ["stays"] && store.expiry(of: "stays") == clock.now + 90)
        try store.close()
        store = try scene.store { $0.now = { clock.now } }
        #expect(try store.keys() == ["stays"])
        clock.pass(90)
        #expect(try store.isEmpty && store.count == 0)
        // A clock that cannot be believed does no harm.
        let odd = try scene.store { $0.now = { .distantFuture } }
        #expect(try odd.isEmpty)
    }

    @Test func clocksOutOfRangeDoNoHarm() throws {
        let scene = try Scene()
        for date in [Date.distantFuture, .distantPast, Date(timeIntervalSince1970: .infinity), Date(timeIntervalSince1970: .nan)] {
            let store = try scene.store { $0.now = { date } }
            try store.set(1, for: "ever")
            try store.set(2, for: "a", expiresAfter: .seconds(5))
            _ = try store.get("a", as: Int.self)
            #expect(try store.get("ever") == 1)
        }
    }
}
