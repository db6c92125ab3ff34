import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// A damaged log is refused with the way out, and the way out leads there.
@Test func damagedLogNamesTheRemedy() throws {
    let scene = try Scene()
    do {
        let db = try scene.open()
        for number in 0..<100 { try db.put("value", for: "key \(number)") }
    }
    let log = try #require(FileManager.default.contentsOfDirectory(atPath: scene.path).first { $0.hasSuffix(".log") })
    var bytes = try Data(contentsOf: URL(fileURLWithPath: scene.path + "/" + log))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(fileURLWithPath: scene.path + "/" + log))

    let error = failure { try RocksDB(path: scene.path) }
    #expect(error?.code == .corruption)
    #expect(error?.message.contains("walRecoveryMode .pointInTime") == true)

    var options = DatabaseOptions()
    options.walRecoveryMode = .pointInTime
    let count = try RocksDB(path: scene.path, options: options).count()
    #expect(count > 0 && count < 100)
}
