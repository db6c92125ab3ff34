#if Postgres
public import BenchKit
import CairnPostgresEngine
import Foundation

#if Objects
import CairnObjects
import CairnPostgresGraph
#endif

/// The engine on PostgreSQL beside bare libpq, on the server that the environment variable BENCH_POSTGRES names by its URL. Each client is an engine or a connection
/// of its own. Then object stores in the same way. What was made there is removed at the end.
public struct PostgresSuite: Suite {
    private static let url = ProcessInfo.processInfo.environment["BENCH_POSTGRES"]
    private let engines = ServerEngines("postgres", rival: "libpq")

    public init() {}

    #if Objects
    private let objects = ServerObjects("postgres", subject: "CairnPostgresGraph", rival: "libpq")
    public var workloads: [Workload] { engines.workloads + objects.workloads }
    #else
    public var workloads: [Workload] { engines.workloads }
    #endif
    public var absent: [String] { Self.url == nil ? ["postgres: BENCH_POSTGRES names no server"] : [] }

    public func run(_ harness: Harness) throws {
        guard let url = Self.url, workloads.contains(where: { harness.settings.isSelected($0.name) }) else { return }
        let store = "bench_\(UInt64.random(in: 0 ... .max))"
        let contest = ServerContest(harness: harness, subject: "CairnPostgresEngine", rival: "libpq")
        // Makes what the bare clients use.
        try PostgresEngine(url: url, store: store).close()
        let bare = try (0..<ServerEngines.most).map { _ in try LibpqSide(url, store) }
        defer {
            try? bare[0].run("DROP TABLE public.\(store); DROP SCHEMA \(store) CASCADE; DROP SCHEMA IF EXISTS \(store)_objects CASCADE")
        }
        try engines.measure(contest, bare) { try PostgresEngine(url: url, store: store) }
        #if Objects
        // The server has connections for the stores now.
        guard objects.workloads.contains(where: { harness.settings.isSelected($0.name) }) else { return }
        try objects.measure(contest, bare) { try ObjectStore(postgres: url, store: store + "_objects", classes: ServerObjects.classes) }
        #endif
    }
}
#endif
