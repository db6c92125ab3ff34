import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// Column families taken from one database to another.
struct ExportTests {
    let scene = try! Scene()
    var exportPath: String { scene.directory.path("export") }

    private func other(_ name: String = "other") throws -> RocksDB {
        try RocksDB(path: scene.directory.path(name), options: DatabaseOptions(createIfMissing: true))
    }

    @Test func exportedAndImported() throws {
        let db = try scene.open()
        let songs = try db.createColumnFamily("songs")
        for round in 0..<3 {
            for number in 0..<100 { try songs.put("\(round)", for: "\(number % (50 + round * 10))") }
            try songs.delete("7")
            try round == 1 ? songs.compact() : songs.flush()
        }
        try songs.put("not yet flushed", for: "last")
        let expected = try songs.pairTexts()
        try db.exportColumnFamily("songs", to: exportPath)
        try songs.put("later", for: "later")

        let other = try other()
        try other.fill("x")
        let first = try other.importColumnFamily("songs", from: exportPath)
        #expect(try first.pairTexts() == expected)
        #expect(try other.columnFamily("songs") === first && other.columnFamilyNames == ["default", "songs"])
        // Into the database it came from, too, and again; the copy is a column family like any other.
        let copy = try db.importColumnFamily("copy", from: exportPath)
        try copy.put("changed", for: "1")
        try copy.compact()
        #expect(try first.pairTexts() == expected && songs.text("1") != "changed" && copy.text("last") == "not yet flushed")
        try other.close()
        #expect(try self.other().columnFamily("songs").pairTexts() == expected)
        #expect(code { try db.importColumnFamily("copy", from: exportPath) } == .invalidArgument)
    }

    @Test func movedIn() throws {
        let db = try scene.open()
        try db.fill("a", "b")
        try db.exportColumnFamily("default", to: exportPath)
        let other = try other()
        try other.importColumnFamily("songs", from: exportPath, movesFiles: true)
        #expect(try other.columnFamily("songs").keyTexts() == ["a", "b"])
        #expect(try !FileSystem.system.list(exportPath).contains { $0.hasSuffix(".sst") })
        #expect(code { try other.importColumnFamily("again", from: exportPath) } == .ioError)
    }

    @Test func emptyOnes() throws {
        let db = try scene.open()
        try db.exportColumnFamily("default", to: exportPath)
        let error = failure { try db.importColumnFamily("empty", from: exportPath) }
        // RocksDB has no empty imports; it may accept or refuse one, but must not crash.
        if error == nil { #expect(try db.columnFamily("empty").count() == 0) } else { #expect(error?.code == .invalidArgument) }
    }

    @Test func orderAndMergeOperatorMustFit() throws {
        let order = KeyComparator(name: "test.by-length") { a, b in a.byteCount - b.byteCount }
        let options = ColumnFamilyOptions(comparator: order, mergeOperator: try MergeOperator(named: "stringappend"))
        let db = try scene.open(ColumnFamilyOptions(), ["x": options], options: .creating)
        try db.columnFamily("x").fill("aaa", "b")
        try db.columnFamily("x").merge("1", for: "cc")
        try db.exportColumnFamily("x", to: exportPath)
        let other = try other()
        #expect(code { try other.importColumnFamily("x", from: exportPath) } == .invalidArgument)
        #expect(
            code { try other.importColumnFamily("x", from: exportPath, options: ColumnFamilyOptions(comparator: order)) }
                == .invalidArgument
        )
        let family = try other.importColumnFamily("x", from: exportPath, options: options)
        #expect(try family.keyTexts() == ["b", "cc", "aaa"] && family.text("cc") == "1")
    }

    @Test func tooFewLevels() throws {
        let db = try scene.open()
        try db.fill("a")
        var compaction = CompactOptions(bottommostLevel: .force)
        compaction.changesLevel = true
        compaction.targetLevel = 6
        try db.compact(options: compaction)
        try db.exportColumnFamily("default", to: exportPath)
        var options = ColumnFamilyOptions()
        options["num_levels"] = "3"
        #expect(code { try other().importColumnFamily("x", from: exportPath, options: options) } == .invalidArgument)
    }

    @Test func blobFilesAreNotExported() throws {
        var options = ColumnFamilyOptions()
        options["enable_blob_files"] = "true"
        let db = try scene.open(options)
        try db.fill("a")
        #expect(code { try db.exportColumnFamily("default", to: exportPath) } == .notSupported)
        #expect(!FileManager.default.fileExists(atPath: exportPath))
        #expect(try db.text("a") == "a")
    }

    @Test func refusals() throws {
        let db = try scene.open()
        try db.fill("a")
        #expect(code { try db.exportColumnFamily("songs", to: exportPath) } == .columnFamilyNotFound)
        #expect(code { try db.exportColumnFamily("default", to: "a\0b") } == .invalidArgument)
        try db.exportColumnFamily("default", to: exportPath)
        #expect(code { try db.exportColumnFamily("default", to: exportPath) } == .invalidArgument)
        #expect(code { try db.importColumnFamily("", from: exportPath) } == .invalidArgument)
        #expect(code { try db.importColumnFamily("x", from: scene.directory.path("nowhere")) } == .notFound)
        try db.close()
        #expect(code { try db.exportColumnFamily("default", to: scene.directory.path("b")) } == .closed)
        #expect(code { try db.importColumnFamily("x", from: exportPath) } == .closed)
        let frozen = try RocksDB(path: scene.path, mode: .readOnly)
        #expect(code { try frozen.exportColumnFamily("default", to: scene.directory.path("b")) } == .readOnly)
        #expect(code { try frozen.importColumnFamily("x", from: exportPath) } == .readOnly)
    }

    @Test func damagedExports() async throws {
        let db = try scene.open()
        try db.fill("a", "b")
        try db.exportColumnFamily("default", to: exportPath)
        let list = exportPath + "/CAIRN-EXPORT"
        let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: list)))
        #expect(sound.starts(with: Array("CairnCFx\u{1}\u{1A}leveldb.BytewiseComparator\u{1}".utf8)))
        for index in sound.indices {
            for bytes in [Array(sound[..<index]), sound.enumerated().map { $0 == index ? $1 ^ 4 : $1 }] {
                try Data(bytes).write(to: URL(fileURLWithPath: list))
                let isWhole = bytes.count == sound.count
                let expected: RocksError.Code = !isWhole || index > 8 ? .corruption : index == 8 ? .notSupported : .foreignFile
                #expect(code { try db.importColumnFamily("x", from: exportPath) } == expected, "byte \(index)")
            }
        }
        try Data(sound).write(to: URL(fileURLWithPath: list))
        let name = try #require(try FileSystem.system.list(exportPath).first { $0.hasSuffix(".sst") })
        // The file is linked to the database's own: it has to be replaced, not written to.
        let file = exportPath + "/" + name
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        try FileManager.default.removeItem(atPath: file)
        #expect(code { try db.importColumnFamily("x", from: exportPath) } == .ioError)
        for damaged in [[], Array(bytes.dropLast()), bytes.map { $0 ^ 0xFF }] {
            try Data(damaged).write(to: URL(fileURLWithPath: file))
            #expect(code { try db.importColumnFamily("x", from: exportPath) } == .corruption)
        }
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        #expect(try db.importColumnFamily("x", from: exportPath).keyTexts() == ["a", "b"])
    }
}
