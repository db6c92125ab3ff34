import ArgumentParser
import BenchKit
import CDBWorkloads
import MappedWorkloads
import RocksWorkloads

#if Objects
import ObjectsWorkloads
import QueryWorkloads
import StoreEngines
#endif

#if Postgres || Etcd
import ServerWorkloads
#endif

#if Telemetry
import TelemetryWorkloads
#endif

@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures Cairn's stores beside their rivals, in the same run.",
        discussion: "docs/benchmarks.md explains how to read the results.",
        subcommands: [Measure.self, Scale.self, Gates.self, Render.self, Probe.self],
        defaultSubcommand: Measure.self
    )
}

/// All that can be measured, in order.
enum Suites {
    /// What an ordinary run measures.
    static var usual: [any Suite] {
        var suites: [any Suite] = [RocksSuite(), CDBSuite(), MappedSuite()]
        #if Objects
        suites +=
            [
                ObjectsSuite(), ListSuite(), QuerySuite(), GrowthSuite(), TextSuite(), SentenceSuite(), EncryptionSuite(),
                EncryptedQuerySuite(), ObjectsSuite(.sqlite), ListSuite(.sqlite), QuerySuite(.sqlite), GrowthSuite(.sqlite), WritersSuite(),
                MoveSuite(), LiveSuite(.rocks), LiveSuite(.sqlite), NewsSuite(),
                SerializableSuite(.rocks), SerializableSuite(.sqlite), SyncedSuite(.rocks), SyncedSuite(.sqlite),
            ] as [any Suite]
        #endif
        #if Telemetry
        suites.append(TelemetrySuite())
        #endif
        #if Postgres
        suites.append(PostgresSuite())
        #endif
        #if Etcd
        suites.append(EtcdSuite())
        #endif
        return suites
    }

    /// What is measured in stores of several sizes.
    static var scaled: [any Suite] {
        var suites: [any Suite] = [RocksSuite(), CDBSuite(), MappedSuite()]
        #if Objects
        suites += [ObjectsSuite(), QuerySuite(), TextSuite()] as [any Suite]
        #endif
        return suites
    }

    /// Why some are not there.
    static var absent: [String] {
        #if Objects
        []
        #else
        ["objects, queries, text, encryption: left out of this build (OBJECTS=no)"]
        #endif
    }
}
