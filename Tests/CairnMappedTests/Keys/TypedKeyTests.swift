import CairnMapped
import CairnTestSupport
import Synchronization
import Testing

private enum Theme: String, MappedValue { case light, dark }
private struct Window: Codable, Equatable, MappedValue { var width = 800, height = 600 }

extension MappedKey<Int> { fileprivate static var launches: Self { Self("launches", default: 0) } }
extension MappedKey<String?> { fileprivate static var token: Self { Self("token") } }
extension MappedKey<Theme> { fileprivate static var theme: Self { Self("theme", default: .light) } }
extension MappedKey<Window> { fileprivate static var window: Self { Self("window", default: Window()) } }
extension MappedKey<[String]> { fileprivate static var recent: Self { Self("recent", default: []) } }

/// Failures that could not be thrown.
final class Failures: Sendable {
    private let list = Mutex<[MappedStoreError.Code]>([])
    var codes: [MappedStoreError.Code] { list.withLock { $0 } }
    var options: MappedStoreOptions {
        var options = MappedStoreOptions()
        options.onError = { [self] error in list.withLock { $0.append(error.code) } }
        return options
    }
}

/// Keys with types, and properties.
struct TypedKeyTests {
    let directory = try! TemporaryDirectory()
    let failures = Failures()

    private func open() throws -> MappedStore { try MappedStore(path: directory.path("a.map"), options: failures.options) }

    @Test func keysWithDefaults() throws {
        let store = try open()
        #expect(try store.get(.launches) == 0 && store.get(.theme) == .light && store[.window] == Window() && store[.recent] == [])
        #expect(try !store.contains(.launches) && store.isEmpty)
        try store.set(4, for: .launches)
        try store.set(.dark, for: .theme)
        try store.set(["a", "b"], for: .recent)
        #expect(try store.get(.launches) == 4 && store[.theme] == .dark && store[.recent] == ["a", "b"])
        #expect(try store.get("launches", as: Int.self) == 4 && store.get("theme") == "dark")
        #expect(try store.contains(.launches) && store.remove(.launches) && !store.remove(.launches))
        #expect(try store[.launches] == 0)
        #expect(
            try store.update(.window) {
                $0.width = 1024; return $0.height
            } == 600
        )
        #expect(try store[.window] == Window(width: 1024))
    }

    @Test func optionalKeys() throws {
        let store = try open()
        #expect(try store.get(.token) == nil)
        try store.set("abc", for: .token)
        #expect(try store.get(.token) == "abc" && store.get("token") == "abc")
        try store.update(.token) { $0? += "d" }
        #expect(try store[.token] == "abcd")
        try store.update(.token) { $0 = nil }
        #expect(try !store.contains(.token))
        try store.set("", for: .token)
        #expect(try store[.token] == "" && store.contains(.token))
        try store.set(nil, for: .token)
        #expect(try store[.token] == nil && store.isEmpty)
        let named = MappedKey<String?>("token", default: "anonymous")
        #expect(try store[named] == "anonymous")
    }

    @Test func keysInTransactions() throws {
        let store = try open()
        try store.transaction { changes in
            try changes.set(changes.get(.launches) + 1, for: .launches)
            try changes.set("abc", for: .token)
            #expect(try changes.get(.launches) == 1 && changes.get(.token) == "abc")
            changes.remove(.token)
            #expect(try changes.get(.token) == nil)
        }
        #expect(try store[.launches] == 1 && !store.contains(.token))
    }

    @Test func aStoredValueOfAnotherTypeIsNotTheDefault() throws {
        let store = try open()
        try store.set("four", for: "launches")
        #expect(code { try store.get(.launches) } == .typeMismatch)
        #expect(code { try store[.launches] } == .typeMismatch)
        #expect(code { try store.update(.launches) { $0 += 1 } } == .typeMismatch)
        #expect(try store.get("launches") == "four")
    }

    @Test func equalKeys() {
        #expect(MappedKey("a", default: 1) == MappedKey("a", default: 1))
        #expect(Set([MappedKey("a", default: 1), MappedKey("a", default: 2), MappedKey("b", default: 1)]).count == 3)
    }

    // MARK: Properties

    private struct Settings {
        @Mapped var launches: Int
        @Mapped var token: String?
        @Mapped var theme: Theme

        init(_ store: MappedStore) {
            _launches = Mapped(wrappedValue: 7, "launches", in: store)
            _token = Mapped("token", in: store)
            _theme = Mapped(.theme, in: store)
        }
    }

    private final class Model {
        @Mapped var launches: Int
        init(_ store: MappedStore) { _launches = Mapped(.launches, in: store) }
    }

    @MainActor private enum Global {
        static let directory = try! TemporaryDirectory()
        static let store = try! MappedStore(path: directory.path("global.map"))
        @Mapped("launches", in: store) static var launches = 1
        @Mapped("token", in: store) static var token: String?
    }

    @Test func properties() throws {
        let store = try open()
        let settings = Settings(store)
        #expect(settings.launches == 7 && settings.token == nil && settings.theme == .light)
        #expect(try store.isEmpty && !settings.$launches.isStored())
        settings.launches += 1
        settings.token = "abc"
        settings.theme = .dark
        #expect(try store.get("launches") == 8 && store.get("token") == "abc" && store.get("theme") == "dark")
        settings.token = nil
        #expect(try !store.contains("token"))
        let model = Model(store)
        model.launches += 1
        #expect(settings.launches == 9)
        #expect(
            try settings.$launches.update {
                $0 += 1; return $0
            } == 10
        )
        #expect(try settings.$launches.remove() && settings.launches == 7 && model.launches == 0)
        #expect(failures.codes.isEmpty)
    }

    @MainActor @Test func staticProperties() throws {
        Global.launches += 1
        Global.token = "abc"
        #expect(try Global.store.get("launches") == 2 && Global.token == "abc" && Global.$launches.get() == 2)
    }

    @Test func failuresOfPropertiesAreTold() throws {
        let store = try open()
        let settings = Settings(store)
        try store.set("nine", for: "launches")
        #expect(settings.launches == 7)
        #expect(failures.codes == [.typeMismatch])
        #expect(code { try settings.$launches.get() } == .typeMismatch)
        try store.close()
        settings.launches = 3
        #expect(settings.token == nil)
        #expect(failures.codes == [.typeMismatch, .closed, .closed])
        #expect(code { try settings.$launches.set(3) } == .closed)
        let reopened = try open()
        #expect(try reopened.get("launches") == "nine")
    }
}
