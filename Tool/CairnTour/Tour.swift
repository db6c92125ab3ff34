import CairnCore
import CairnRocks
package import CairnToolKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Demonstrates the stores with real data; each chapter has its own file. Both `cairn tour` and `cairn-tour` run it; the latter builds only what
/// the tour needs.
package struct Tour {
    private let data: TourData

    /// A tour with the records of `file`, or with data from this machine.
    package init(file: String?, format: RecordFormat? = nil, key: String? = nil) throws {
        data = try file.map { try TourData.records(of: $0, format: format, key: key) } ?? .found()
    }

    /// Shows all chapters. The stores are removed afterwards unless `keepsStores`.
    package func run(keepsStores: Bool = false) throws {
        let directory = FileManager.default.temporaryDirectory.path + "/cairn-tour-" + UUID().uuidString.prefix(8).lowercased()
        do throws(SystemCallError) {
            try FileSystem.system.mkdir(directory, mode: 0o700)
        } catch {
            throw Failure(.database, "'\(directory)' cannot be created: \(error.text).")
        }
        defer { if !keepsStores { try? FileManager.default.removeItem(atPath: directory) } }

        let stage = TourStage()
        try stage.say("\(data.counted(data.items.count)) from \(data.source), on RocksDB \(RocksDB.libraryVersion)\n")
        var rocks = try RocksChapter(data: data, path: directory + "/rocks", stage: stage)
        try rocks.run()
        try ObjectsChapter(data: data, path: directory + "/objects", stage: stage).run()
        try MappedChapter(data: data, path: directory + "/preferences.map", stage: stage).run()
        try CDBChapter(data: data, path: directory + "/texts.cdb", stage: stage).run()
        #if DEBUG
        try stage.say("Built without optimisation; 'make run CONFIGURATION=release' shows the times of a program that is released.")
        #endif
        if keepsStores {
            try stage.say("The four stores were kept. Inspect them with:")
            try stage.say("  cairn rocks scan \(directory)/rocks -c items --limit 5")
            try stage.say("  cairn objects list \(directory)/objects Piece --limit 5")
            try stage.say("  cairn mapped list \(directory)/preferences.map")
            try stage.say("  cairn cdb stats \(directory)/texts.cdb")
        } else {
            try stage.say("The four stores were removed; 'cairn tour --keep' keeps them.")
        }
    }
}
