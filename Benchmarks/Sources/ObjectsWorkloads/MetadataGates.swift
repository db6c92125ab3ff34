import BenchKit
import CairnCore
import CairnObjects
import CairnRocks

@Stored final class NumberedItem {
    @Indexed var number: Int
}

/// Blocks of indexes and filters that are read from files by look-ups that were made before.
enum MetadataGates {
    private static let objects = 1_000_000
    private static let lookUps = 1_000

    static var all: [Gate] {
        [64, 4].map { (mebibytes: Int64) in
            Gate(
                "objects/metadata reads \(mebibytes) MiB",
                atMost: 0,
                because: "indexes and filters stay in memory while their file is open"
            ) {
                let folder = try Folder.temporary()
                defer { folder.remove() }
                var options = RocksEngineOptions()
                options.memoryBudget = .mebibytes(mebibytes)
                let path = folder.path("gate.store")
                try write(at: path, options)
                return Double(try reads(at: path, options))
            }
        }
    }

    /// One commit, and so one file, with a filter of 1.3 MB.
    private static func write(at path: String, _ options: RocksEngineOptions) throws {
        let store = try ObjectStore(engine: RocksEngine(path: path, options: options), classes: [NumberedItem.self])
        try store.write { context in
            for number in 0..<objects { context.insert(NumberedItem(number: number)) }
        }
        try store.close()
    }

    private static func reads(at path: String, _ options: RocksEngineOptions) throws -> UInt64 {
        let store = try ObjectStore(engine: RocksEngine(path: path, options: options), classes: [NumberedItem.self])
        func lookUp() throws {
            for look in 0..<lookUps {
                let number = look * 2_654_435_761 % objects
                try store.read { context in
                    guard try context.first(NumberedItem.self, where: \.number == number)?.number == number else {
                        throw Disagreement("an object is lost")
                    }
                }
            }
        }
        try lookUp()
        let report = try measuringPerformance { try lookUp() }
        try store.close()
        return report["index_block_read_count"] + report["filter_block_read_count"]
    }
}
