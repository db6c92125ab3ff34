#if Telemetry
import CairnGraph
import CairnRocks
import CairnRocksGraph
import CairnTelemetry
import CairnTestSupport
import Foundation
import Logging
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing
import UnixSignals

// What docs/guides/server.md shows.
// begin
func serve(_ folder: String, _ server: some Service, _ logger: Logger) async throws {
    let monitor = StoreMonitor(logger: logger)

    var options = DatabaseOptions(createIfMissing: true)
    options.statistics = try Statistics()  // RocksDB's tickers and histograms
    options.log(to: logger, as: "index")  // RocksDB's warnings, errors and events
    let index = ServedStore("index") { [options] in try RocksDB(path: folder + "/index.db", options: options) }
    let notes = ServedStore("notes") { try ObjectStore(path: folder + "/Notes.store", classes: [Note.self]) }

    let stores = StoreService(index, notes, monitor: monitor, logger: logger)
    let group = ServiceGroup(services: [stores, monitor, server], gracefulShutdownSignals: [.sigterm], logger: logger)
    try await group.run()
}
// end

/// The guide for servers.
@Suite struct GuideTests {
    /// Waits for the end.
    private struct Server: Service {
        let began: AsyncStream<Void>.Continuation
        func run() async throws {
            began.yield()
            try await gracefulShutdown()
        }
    }

    @Test(.endsWhenItHangs) func itsProgramRunsTwice() async throws {
        let directory = try TemporaryDirectory()
        for _ in 0..<2 {
            let recording = Recording()
            let (beginning, began) = AsyncStream.makeStream(of: Void.self)
            try await testGracefulShutdown { trigger in
                async let end: Void = serve(directory.path, Server(began: began), recording.logger)
                for await _ in beginning { break }
                while recording.log.lines("opened a store").count < 2, !Task.isCancelled { await Task.yield() }
                trigger.triggerGracefulShutdown()
                try await end
            }
            #expect(recording.log.lines("closed a store").map { $0.metadata["store"] } == ["notes", "index"])
            #expect(!recording.log.lines.contains { $0.level > .notice })
        }
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func itsProgramIsTheOneAbove() throws {
        let text = try String(contentsOfFile: #filePath, encoding: .utf8)
        let code = try #require(text.firstMatch(of: /\n\/\/ begin\n(?s:(.*?))\/\/ end\n/)).1
        let guide = try String(contentsOf: Self.root.appendingPathComponent("docs/guides/server.md"), encoding: .utf8)
        #expect(guide.contains("~~~swift\n\(code)~~~\n"))
    }

    /// All metrics of all stores are in the tables, except RocksDB's own.
    @Test func itListsTheMetrics() throws {
        let guide = try String(contentsOf: Self.root.appendingPathComponent("docs/guides/server.md"), encoding: .utf8)
        let sources = Self.root.appendingPathComponent("Sources/CairnTelemetry")
        var names: Set<String> = []
        for case let file as URL in try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        where file.pathExtension == "swift" {
            let code = try String(contentsOf: file, encoding: .utf8)
            for match in code.matches(of: /"(cairn_[a-z]+_[a-z_]+)"/) where !match.1.hasSuffix("_") { names.insert(String(match.1)) }
        }
        #expect(names.count > 35)
        for name in names { #expect(guide.contains("`\(name)`"), "\(name) is missing from the guide") }
        for match in guide.matches(of: /`(cairn_[a-z_]+)`/)
        where !match.1.hasPrefix("cairn_rocks_db_") && !match.1.hasPrefix("cairn_rocks_block_cache_hit") {
            #expect(names.contains(String(match.1)), "the guide lists \(match.1), which is not reported")
        }
    }
}
#endif
