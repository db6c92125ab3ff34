#if Etcd
public import BenchKit
import CairnEtcdEngine
import Foundation

#if Objects
import CairnEtcdGraph
import CairnObjects
#endif

/// The engine on etcd beside bare libcurl, on the server that the environment variable BENCH_ETCD names, such as 127.0.0.1:2379. Each client is an engine or a
/// connection of its own. Then object stores in the same way. What was made there is removed at the end.
public struct EtcdSuite: Suite {
    private static let address = ProcessInfo.processInfo.environment["BENCH_ETCD"]
    private let engines = ServerEngines("etcd", rival: "libcurl", scanGoals: [.ratio(1.3, to: "libcurl")])

    public init() {}

    #if Objects
    private let objects = ServerObjects("etcd", subject: "CairnEtcdGraph", rival: "libcurl")
    public var workloads: [Workload] { engines.workloads + objects.workloads }
    #else
    public var workloads: [Workload] { engines.workloads }
    #endif
    public var absent: [String] { Self.address == nil ? ["etcd: BENCH_ETCD names no server"] : [] }

    public func run(_ harness: Harness) throws {
        guard let address = Self.address, workloads.contains(where: { harness.settings.isSelected($0.name) }) else { return }
        let prefix = "bench.\(UInt64.random(in: 0 ... .max))"
        let contest = ServerContest(harness: harness, subject: "CairnEtcdEngine", rival: "libcurl")
        let bare = try (0..<ServerEngines.most).map { _ in try GatewaySide(address, prefix + ".bare:") }
        defer {
            try? bare[0].removeAll()
            for place in [":", ".objects:"] { try? GatewaySide(address, prefix + place).removeAll() }
        }
        try engines.measure(contest, bare) { try EtcdEngine(url: "etcd://\(address)/\(prefix)") }
        #if Objects
        guard objects.workloads.contains(where: { harness.settings.isSelected($0.name) }) else { return }
        let url = "etcd://\(address)/\(prefix).objects"
        try objects.measure(contest, bare) { try ObjectStore(etcd: url, classes: ServerObjects.classes) }
        #endif
    }
}
#endif
