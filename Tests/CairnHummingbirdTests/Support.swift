#if Hummingbird
import CairnHummingbird
import CairnMapped
import CairnTestSupport
import Foundation
import Hummingbird
import Synchronization
import Testing

/// A directory with a store whose clock tests move by hand, removed at the end of the test.
final class Scene: Sendable {
    let directory: TemporaryDirectory
    let clock = HandClock()

    init() throws { directory = try TemporaryDirectory() }

    func store(_ name: String = "a.map", _ change: (inout MappedStoreOptions) -> Void = { _ in }) throws -> MappedStore {
        var options = MappedStoreOptions()
        options.compaction = .manual
        // The store keeps the directory.
        options.now = { self.clock.now }
        change(&options)
        return try MappedStore(path: directory.path(name), options: options)
    }

    func driver(_ configuration: MappedPersistDriver.Configuration = .init()) throws -> MappedPersistDriver {
        MappedPersistDriver(store: try store(), configuration: configuration, logger: silent)
    }
}

/// A clock that tests move by hand.
final class HandClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_000_000))

    var now: Date { time.withLock { $0 } }
    func pass(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }
}

/// What a session of a test has.
struct Session: Codable, Equatable, Sendable {
    var user = UUID()
    var name = "Ada"
    var roles = ["editor", "reader"]
    var since = Date(timeIntervalSince1970: 1_700_000_000.25)
    var visits = 12
    var note: String?
}

/// Changes the bytes of a value in a store's file, wherever they are.
func damage(_ value: String, in path: String) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    let found = try #require(bytes.range(of: Data(value.utf8)))
    bytes[found.lowerBound] ^= 1
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.seek(toOffset: UInt64(found.lowerBound))
    try file.write(contentsOf: bytes[found.lowerBound...found.lowerBound])
    try file.close()
}
#endif
