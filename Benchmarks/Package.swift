// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that rivals and flags of the benchmarks never reach those who use Cairn.
// What needs a library that may be missing, or takes long to build, has a trait; `scripts/bench` builds with those that are possible.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    traits: [
        .trait(name: "CDB", description: "Constant databases beside libcdb, tinycdb's library."),
        .trait(name: "LMDB", description: "Mapped stores beside LMDB."),
        .trait(name: "SQLite", description: "Mapped stores beside GRDB, and objects beside SQLite in C and GRDB."),
        .trait(name: "Objects", description: "Object stores, which build swift-syntax and swift-crypto."),
        .trait(name: "Postgres", description: "The engine on PostgreSQL beside libpq, on the server that BENCH_POSTGRES names."),
        .trait(name: "Etcd", description: "The engine on etcd beside libcurl, on the server that BENCH_ETCD names."),
        .trait(name: "Telemetry", description: "What metrics, logs and traces of stores cost.", enabledTraits: ["Objects"]),
        .default(enabledTraits: ["CDB", "LMDB", "SQLite", "Objects", "Postgres", "Etcd", "Telemetry"]),
    ],
    dependencies: [
        .package(name: "Cairn", path: "..", traits: [.defaults, .trait(name: "Telemetry", condition: .when(traits: ["Telemetry"]))]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
    ],
    targets: [
        // The RocksDB installed on the system: the same library that Cairn uses, under a name of its own.
        .systemLibrary(
            name: "SystemRocksDB",
            pkgConfig: "rocksdb",
            providers: [.apt(["librocksdb-dev"]), .brew(["rocksdb"])]
        ),
        // The rivals: each workload as a plain C or C++ program, whole loops, called once per round.
        .target(name: "RivalRocksDB", dependencies: ["SystemRocksDB"]),
        .systemLibrary(name: "SystemCDB", pkgConfig: "libcdb", providers: [.apt(["libcdb-dev"])]),
        .target(name: "RivalCDB", dependencies: ["SystemCDB"], linkerSettings: [.linkedLibrary("cdb")]),
        .systemLibrary(name: "SystemLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        .target(name: "RivalLMDB", dependencies: ["SystemLMDB"], linkerSettings: [.linkedLibrary("lmdb")]),
        .target(name: "RivalMapped"),
        .target(name: "RivalSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .systemLibrary(name: "SystemPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(name: "RivalPostgres", dependencies: ["SystemPostgres"]),
        .systemLibrary(name: "SystemCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .target(name: "RivalEtcd", dependencies: ["SystemCurl"]),
        // What Swift cannot do: counting allocations and system calls, marking measured code for profilers.
        .target(name: "BenchSupport"),
        // The harness: rounds, samples, results, their table and chart, gates.
        .target(name: "BenchKit", dependencies: ["BenchSupport"]),
        // Object stores on each of their engines.
        .target(
            name: "StoreEngines",
            dependencies: [
                "BenchKit",
                .product(name: "CairnObjects", package: "Cairn", condition: .when(traits: ["Objects"])),
                .product(name: "CairnSQLiteGraph", package: "Cairn", condition: .when(traits: ["Objects"])),
            ]
        ),
        // A store beside its rivals each: workloads and gates.
        .target(
            name: "RocksWorkloads",
            dependencies: [
                "BenchKit", "RivalRocksDB",
                .product(name: "CairnCore", package: "Cairn"),
                .product(name: "CairnRocks", package: "Cairn"),
            ]
        ),
        .target(
            name: "CDBWorkloads",
            dependencies: [
                "BenchKit",
                .target(name: "RivalCDB", condition: .when(traits: ["CDB"])),
                .product(name: "CairnCore", package: "Cairn"),
                .product(name: "CairnCDB", package: "Cairn"),
            ]
        ),
        .target(
            name: "MappedWorkloads",
            dependencies: [
                "BenchKit", "RivalMapped",
                .target(name: "RivalLMDB", condition: .when(traits: ["LMDB"])),
                .product(name: "CairnMapped", package: "Cairn"),
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ]
        ),
        .target(
            name: "ObjectsWorkloads",
            dependencies: [
                "BenchKit", "StoreEngines",
                .target(name: "RivalSQLite", condition: .when(traits: ["SQLite"])),
                .product(name: "CairnCore", package: "Cairn", condition: .when(traits: ["Objects"])),
                .product(name: "CairnObjects", package: "Cairn", condition: .when(traits: ["Objects"])),
                .product(name: "CairnObjectsEncryption", package: "Cairn", condition: .when(traits: ["Objects"])),
                .product(name: "CairnRocks", package: "Cairn", condition: .when(traits: ["Objects"])),
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Objects"])),
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ]
        ),
        .target(
            name: "QueryWorkloads",
            dependencies: [
                "BenchKit", "StoreEngines",
                .target(name: "RivalSQLite", condition: .when(traits: ["SQLite"])),
                .product(name: "CairnObjects", package: "Cairn", condition: .when(traits: ["Objects"])),
                .product(name: "CairnObjectsEncryption", package: "Cairn", condition: .when(traits: ["Objects"])),
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Objects"])),
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ]
        ),
        .target(
            name: "ServerWorkloads",
            dependencies: [
                "BenchKit",
                .target(name: "StoreEngines", condition: .when(traits: ["Objects"])),
                .target(name: "RivalPostgres", condition: .when(traits: ["Postgres"])),
                .target(name: "RivalEtcd", condition: .when(traits: ["Etcd"])),
                .product(name: "CairnCore", package: "Cairn", condition: .when(traits: ["Postgres", "Etcd"])),
                .product(name: "CairnEngine", package: "Cairn", condition: .when(traits: ["Postgres", "Etcd"])),
                .product(name: "CairnPostgresEngine", package: "Cairn", condition: .when(traits: ["Postgres"])),
                .product(name: "CairnEtcdEngine", package: "Cairn", condition: .when(traits: ["Etcd"])),
                .product(name: "CairnEtcdGraph", package: "Cairn", condition: .when(traits: ["Objects"])),
                .product(name: "CairnObjects", package: "Cairn", condition: .when(traits: ["Objects"])),
                .product(name: "CairnPostgresGraph", package: "Cairn", condition: .when(traits: ["Objects"])),
            ]
        ),
        .target(
            name: "TelemetryWorkloads",
            dependencies: [
                "BenchKit",
                .product(name: "CairnObjects", package: "Cairn", condition: .when(traits: ["Telemetry"])),
                .product(name: "CairnRocks", package: "Cairn", condition: .when(traits: ["Telemetry"])),
                .product(name: "CairnTelemetry", package: "Cairn", condition: .when(traits: ["Telemetry"])),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Telemetry"])),
            ]
        ),
        // The program.
        .executableTarget(
            name: "bench",
            dependencies: [
                "BenchKit", "CDBWorkloads", "MappedWorkloads", "RocksWorkloads",
                .target(name: "ObjectsWorkloads", condition: .when(traits: ["Objects"])),
                .target(name: "ServerWorkloads", condition: .when(traits: ["Postgres", "Etcd"])),
                .target(name: "QueryWorkloads", condition: .when(traits: ["Objects"])),
                .target(name: "StoreEngines", condition: .when(traits: ["Objects"])),
                .target(name: "TelemetryWorkloads", condition: .when(traits: ["Telemetry"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx20
)

// One set of language rules for all Swift code of the package.
let plain = ["BenchKit", "StoreEngines"]
for target in package.targets where target.type == .executable || plain.contains(target.name) || target.name.hasSuffix("Workloads") {
    target.swiftSettings = [
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableExperimentalFeature("Lifetimes"),
    ]
}

// MMKV is in no package: `MMKV=path make bench` builds a checkout of it, to which scripts/bench makes the link RivalMMKV/Core.
if Context.environment["MMKV"]?.isEmpty == false, let mapped = package.targets.first(where: { $0.name == "MappedWorkloads" }) {
    package.targets.append(
        .target(
            name: "RivalMMKV",
            exclude: [
                "CMakeLists.txt", "core.vcxproj", "core.vcxproj.filters", "Core.xcodeproj", "cbridge", "crc32/CMakeLists.txt",
                "fakeinclude",
            ]
            .map { "Core/" + $0 },
            // On Apple's systems, MMKV would otherwise be Objective-C++.
            cxxSettings: [.headerSearchPath("Core"), .define("MMKV_EMBED_ZLIB", to: "1"), .define("FORCE_POSIX"), .define("NDEBUG")]
        )
    )
    mapped.dependencies.append("RivalMMKV")
    mapped.swiftSettings?.append(.define("MMKV"))
}
