import BenchKit
import CairnCore
import CairnObjects
import Foundation

/// What opening and closing a store of many small commits ask of the kernel, and what they leave of the log.
enum OpeningGates {
    private static let objects = 20_000
    private static let commits = 20_000

    static var all: [Gate] {
        [
            Gate(
                "objects/log left by closing, KiB",
                atMost: 128,
                because: "more is written to a file, which costs less than reading it again"
            ) {
                let folder = try Folder.temporary()
                defer { folder.remove() }
                return try Double(log(of: folder.path("gate.store"), closes: true)) / 1024
            },
            Gate(
                "objects/log left by a kill, KiB",
                atMost: 2048,
                because: "12,288 entries, and what is committed while they are written to a file"
            ) {
                let folder = try Folder.temporary()
                defer { folder.remove() }
                return try Double(log(of: folder.path("gate.store"), closes: false)) / 1024
            },
        ]
            + Gate.calls(
                "objects/open and look up",
                probe: "objects-open",
                operations: 1,
                limits: Gate.Calls(syncs: 0, all: 250),
                because: "a closed store is opened for reading, which waits for nothing"
            )
    }

    /// The size of the log after small commits.
    private static func log(of path: String, closes: Bool) throws -> Int {
        let store = try fill(path)
        defer { withExtendedLifetime(store) {} }
        if closes { try store.close() }
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".log") }
        return try names.reduce(0) { size, name in
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
            return size + ((attributes[.size] as? NSNumber)?.intValue ?? 0)
        }
    }

    private static func fill(_ path: String) throws -> ObjectStore {
        let store = try ObjectStore(path: path, classes: [NumberedItem.self])
        try store.write { context in
            for number in 0..<objects { context.insert(NumberedItem(number: number)) }
        }
        for number in objects..<objects + commits {
            try store.write { $0.insert(NumberedItem(number: number)) }
        }
        return store
    }

    static func probe(_ arguments: [String]) throws {
        try fill(arguments[0]).close()
        Count.begin()
        let store = try ObjectStore(path: arguments[0], classes: [NumberedItem.self])
        let number = try store.read { try $0.first(NumberedItem.self, where: \.number == objects)?.number }
        Count.end()
        guard number == objects else { throw Disagreement("an object is lost") }
        try store.close()
    }
}
