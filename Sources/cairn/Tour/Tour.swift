import ArgumentParser
import CairnCore
import CairnRocks
import CairnToolKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `cairn tour`: the stores at work on real data. A file per chapter.
struct Tour: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the stores at work on real data, with results and times.",
        discussion: """
            Without a file, the tour takes the packages of this machine (/var/lib/dpkg/status), else its time zones, else data of its own. With \
            one, that may be JSON Lines, CSV, TSV or Debian control, as for 'cairn rocks import'; at most 100,000 records of it are used.
            """
    )

    @Argument(help: "A file of records; '-' is standard input.", completion: .file()) var file: String?
    @Option(help: "The file's format. (default: by its name, else by its beginning)")
    var format: RecordFormat?
    @Option(help: "The field of the file whose content is the key.") var key: String?
    @Flag(help: "Keep the stores, and tell where they are.") var keep = false

    func validate() throws {
        if file == nil && (format != nil || key != nil) { throw ValidationError("--format and --key are about a file; name one.") }
    }

    func run() throws {
        let data = try file.map { try TourData.records(of: $0, format: format, key: key) } ?? .found()
        let directory = FileManager.default.temporaryDirectory.path + "/cairn-tour-" + UUID().uuidString.prefix(8).lowercased()
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { if !keep { try? FileManager.default.removeItem(atPath: directory) } }

        let stage = TourStage()
        try stage.say("\(Numbers.grouped(data.items.count)) \(data.noun) from \(data.source), on RocksDB \(RocksDB.libraryVersion)\n")
        var rocks = try RocksChapter(data: data, path: directory + "/rocks", stage: stage)
        try rocks.run()
        try ObjectsChapter(data: data, path: directory + "/objects", stage: stage).run()
        try MappedChapter(data: data, path: directory + "/preferences.map", stage: stage).run()
        try CDBChapter(data: data, path: directory + "/texts.cdb", stage: stage).run()
        if keep {
            try stage.say("All four stores are kept. Look into them with:")
            try stage.say("  cairn rocks scan \(directory)/rocks -c items --limit 5")
            try stage.say("  cairn objects list \(directory)/objects Piece --limit 5")
            try stage.say("  cairn mapped list \(directory)/preferences.map")
            try stage.say("  cairn cdb stats \(directory)/texts.cdb")
        } else {
            try stage.say("All four stores are removed again; --keep keeps them.")
        }
    }
}
