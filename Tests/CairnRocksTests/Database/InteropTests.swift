import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// RocksDB's own programs, which are built from its C++ library alone: `ldb` and `sst_dump` (Debian package `rocksdb-tools`).
private let ldb = InstalledProgram.path("ldb", "rocksdb_ldb")
private let sstDump = InstalledProgram.path("sst_dump", "rocksdb_sst_dump")

@Suite(
    "Databases made here are read by RocksDB's own programs, and theirs here",
    .enabled(if: ldb != nil && sstDump != nil, "the programs 'ldb' and 'sst_dump' are not installed")
)
struct InteropTests {
    let scene: Scene
    init() throws { scene = try Scene() }

    /// Runs `ldb` on the scene's database and returns the lines it printed.
    func ldb(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
        try output(of: CairnRocksTests.ldb!, ["--db=\(scene.path)"] + arguments, sourceLocation)
    }

    func output(of program: String, _ arguments: [String], _ sourceLocation: SourceLocation) throws -> [String] {
        let result = try runTool(program, arguments)
        #expect(result.status == 0, "\(arguments): \(result.standardError)\(result.standardOutput)", sourceLocation: sourceLocation)
        return result.standardOutput.split(separator: "\n").map(String.init)
    }

    func tableFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scene.path).filter { $0.hasSuffix(".sst") }.map { "\(scene.path)/\($0)" }
    }

    @Test func `ldb reads what was put, deleted and merged`() throws {
        var options = ColumnFamilyOptions()
        options.mergeOperator = try MergeOperator(named: "stringappend")
        let db = try scene.open(options)
        try db.fill("a", "b", "c", "d", "e")
        try db.delete("b")
        try db.deleteRange(from: "d", to: "e")
        try db.merge("more", for: "c")
        try db.close()
        #expect(try ldb("scan") == ["a : a", "c : c,more", "e : e"])
        #expect(try ldb("get", "c") == ["c,more"])
        #expect(try ldb("checkconsistency").last == "OK")
    }

    @Test func `ldb reads column families, any bytes among them`() throws {
        let db = try scene.open()
        let songs = try db.createColumnFamily("songs")
        try songs.put([0, 255, 10] as [UInt8], for: [0] as [UInt8])
        try songs.put("", for: "empty")
        try db.close()
        #expect(try ldb("list_column_families").joined(separator: "\n").contains("songs"))
        #expect(try ldb("--column_family=songs", "--hex", "scan") == ["0x00 : 0x00FF0A", "0x656D707479 : 0x"])
    }

    @Test(arguments: [Compression.none, .snappy, .zlib, .bzip2, .lz4, .lz4hc, .zstd])
    func `sst_dump reads table files in every compression`(compression: Compression) throws {
        var options = ColumnFamilyOptions()
        options.compression = compression
        let db = try scene.open(options)
        for number in 0..<1_000 { try db.put(String(repeating: "value ", count: 20), for: "key \(number)") }
        try db.flush()
        try db.close()
        let files = try tableFiles()
        #expect(files.count == 1)
        for file in files {
            _ = try output(of: sstDump!, ["--file=\(file)", "--command=verify"], #_sourceLocation)
            let report = try output(of: sstDump!, ["--file=\(file)", "--command=check", "--show_properties"], #_sourceLocation)
            #expect(report.contains { $0.contains("# entries: 1000") })
        }
    }

    @Test func `ldb reads the log that was not flushed`() throws {
        let db = try scene.open()
        try db.write { batch in
            batch.put("1", for: "a")
            batch.delete("b")
        }
        let log = try #require(FileManager.default.contentsOfDirectory(atPath: scene.path).first { $0.hasSuffix(".log") })
        let lines = try output(of: CairnRocksTests.ldb!, ["dump_wal", "--walfile=\(scene.path)/\(log)", "--print_value"], #_sourceLocation)
        #expect(lines.contains { $0.contains("PUT(0) : 0x61 : 0x31") && $0.contains("DELETE(0) : 0x62") })
        try db.close()
    }

    @Test func `blob files are read by ldb`() throws {
        var options = ColumnFamilyOptions()
        options.enableBlobFiles = true
        let value = String(repeating: "x", count: 5_000)
        let db = try scene.open(options)
        try db.put(value, for: "large")
        try db.flush()
        try db.close()
        #expect(try ldb("get", "large") == [value])
    }

    @Test func `what ldb puts and deletes is read here`() throws {
        _ = try ldb("put", "a", "1", "--create_if_missing")
        _ = try ldb("batchput", "b", "2", "c", "3", "d", "4", "e", "5")
        _ = try ldb("delete", "b")
        _ = try ldb("deleterange", "d", "e")
        let db = try scene.open(options: DatabaseOptions())
        #expect(try db.pairTexts() == ["a=1", "c=3", "e=5"])
    }

    @Test func `column families that ldb makes are opened here, without being named`() throws {
        _ = try ldb("put", "a", "1", "--create_if_missing")
        _ = try ldb("create_column_family", "songs")
        _ = try ldb("--column_family=songs", "put", "waterloo", "213")
        let db = try scene.open(options: DatabaseOptions())
        #expect(try db.columnFamily("songs").text("waterloo") == "213")
    }

    @Test(arguments: ["no", "snappy", "zlib", "bzip2", "lz4", "lz4hc", "zstd"])
    func `tables that ldb compacts are read here, in every compression and with Bloom filters`(compression: String) throws {
        var lines = ""
        for number in 0..<500 { lines += "key\(number) ==> value of \(number)\n" }
        let load = try runTool(
            CairnRocksTests.ldb!,
            ["--db=\(scene.path)", "--compression_type=\(compression)", "--bloom_bits=10", "load", "--create_if_missing", "--compact"],
            stdin: lines
        )
        #expect(load.status == 0, "\(load.standardError)")
        let db = try scene.open(options: DatabaseOptions())
        #expect(try db.count() == 500)
        #expect(try db.text("key499") == "value of 499")
        #expect(try db.text("key500") == nil)
        try db.verifyChecksums()
    }

    @Test func `blob files that ldb makes are read here`() throws {
        let value = String(repeating: "y", count: 3_000)
        _ = try ldb("--enable_blob_files", "--min_blob_size=100", "put", "large", value, "--create_if_missing")
        _ = try ldb("--enable_blob_files", "--min_blob_size=100", "compact")
        let db = try scene.open(options: DatabaseOptions())
        #expect(try db.text("large") == value)
    }
}
