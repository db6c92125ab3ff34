// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// What a trait guards is fetched only by those who enable it. Most are by default; `traits: []` fetches nothing besides Cairn, for
// programs that use neither `@Stored` nor encryption. `Telemetry` and `Hummingbird` are for servers, which have their
// packages anyway.
let macros: TargetDependencyCondition? = .when(traits: ["Macros"])
let encryption: TargetDependencyCondition? = .when(traits: ["Encryption"])
let tool: TargetDependencyCondition? = .when(traits: ["Tool"])
let inspector: TargetDependencyCondition? = .when(traits: ["Inspector"])
let hummingbird: TargetDependencyCondition? = .when(traits: ["Hummingbird"])

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto", condition: encryption)
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto", condition: encryption)
let telemetry = serverProducts([
    "Logging": "swift-log", "Metrics": "swift-metrics", "ServiceLifecycle": "swift-service-lifecycle",
    "Tracing": "swift-distributed-tracing",
])
let telemetryKits = serverProducts([
    "InMemoryTracing": "swift-distributed-tracing", "MetricsTestKit": "swift-metrics",
    "ServiceLifecycleTestKit": "swift-service-lifecycle", "UnixSignals": "swift-service-lifecycle",
])
func serverProducts(_ packages: KeyValuePairs<String, String>) -> [Target.Dependency] {
    packages.map { .product(name: $0, package: $1, condition: .when(traits: ["Telemetry"])) }
}
let stores: [Target.Dependency] = ["CairnCore", "CairnGraph", "CairnMapped", "CairnRocks"]

// Apple's SDKs have a module of SQLite.
let systemSQLite = Target.Dependency.target(name: "CSQLite", condition: .when(platforms: [.linux]))

let package = Package(
    name: "Cairn",
    // Synchronization's Mutex sets the floor on Apple platforms.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "CairnCore", targets: ["CairnCore"]),
        .library(name: "CairnRocks", targets: ["CairnRocks"]),
        .library(name: "CairnRocksEncryption", targets: ["CairnRocksEncryption"]),
        .library(name: "CairnCDB", targets: ["CairnCDB"]),
        .library(name: "CairnMapped", targets: ["CairnMapped"]),
        .library(name: "CairnMappedEncryption", targets: ["CairnMappedEncryption"]),
        .library(name: "CairnMappedImport", targets: ["CairnMappedImport"]),
        .library(name: "CairnEngine", targets: ["CairnEngine"]),
        .library(name: "CairnEngineConformance", targets: ["CairnEngineConformance"]),
        .library(name: "CairnRocksEngine", targets: ["CairnRocksEngine"]),
        .library(name: "CairnSQLiteEngine", targets: ["CairnSQLiteEngine"]),
        .library(name: "CairnPostgresEngine", targets: ["CairnPostgresEngine"]),
        .library(name: "CairnEtcdEngine", targets: ["CairnEtcdEngine"]),
        .library(name: "CairnText", targets: ["CairnText"]),
        .library(name: "CairnGraph", targets: ["CairnGraph"]),
        .library(name: "CairnRocksGraph", targets: ["CairnRocksGraph"]),
        .library(name: "CairnSQLiteGraph", targets: ["CairnSQLiteGraph"]),
        .library(name: "CairnPostgresGraph", targets: ["CairnPostgresGraph"]),
        .library(name: "CairnEtcdGraph", targets: ["CairnEtcdGraph"]),
        .library(name: "CairnStored", targets: ["CairnStored"]),
        .library(name: "CairnObjects", targets: ["CairnObjects"]),
        .library(name: "CairnObjectsBNR", targets: ["CairnObjectsBNR"]),
        .library(name: "CairnObjectsEncryption", targets: ["CairnObjectsEncryption"]),
        .library(name: "CairnInspector", targets: ["CairnInspector"]),
        .library(name: "CairnTelemetry", targets: ["CairnTelemetry"]),
        .library(name: "CairnHummingbird", targets: ["CairnHummingbird"]),
        .executable(name: "cairn", targets: ["cairn"]),
        .plugin(name: "ConstantDatabasePlugin", targets: ["ConstantDatabasePlugin"]),
    ],
    traits: [
        .trait(name: "Macros", description: "swift-syntax, for `@Stored`: CairnStored and CairnObjects"),
        .trait(
            name: "Encryption",
            description: "swift-crypto, for the encryption of all stores and the importer of BNRPersistence's directories"
        ),
        .trait(name: "Tool", description: "swift-argument-parser, for the command-line tool"),
        .trait(name: "Inspector", description: "FlyingFox, for the inspector in a browser: CairnInspector and `cairn inspect`"),
        .trait(name: "Telemetry", description: "swift-log, -metrics, -distributed-tracing, -service-lifecycle: CairnTelemetry"),
        .trait(name: "Hummingbird", description: "Hummingbird, for sessions and cached responses of its servers: CairnHummingbird"),
        .default(enabledTraits: ["Macros", "Encryption", "Tool", "Inspector"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.0"..<"604.0.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.2.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        // The RocksDB installed on the system: a module map, the pkg-config name, the packages that provide it.
        .systemLibrary(name: "RocksDBLibrary", pkgConfig: "rocksdb", providers: [.apt(["librocksdb-dev"]), .brew(["rocksdb"])]),
        // The C++17 shim: the only code that includes RocksDB headers. One plain C header.
        // Two units include all its files, since most of the time goes into RocksDB's headers.
        .target(name: "CRocks", dependencies: ["RocksDBLibrary"], sources: ["Units"]),
        // Small C helpers: what Swift cannot see or say (CRC32C instructions, mmap and errno constants).
        .target(name: "CCairn"),
        // The vocabulary of every store: bytes, keys that sort, value codecs, errors, units, files, checksums.
        .target(name: "CairnCore", dependencies: ["CCairn"]),
        // The RocksDB binding and its typed tables.
        .target(name: "CairnRocks", dependencies: ["CairnCore", "CRocks"]),
        // Databases encrypted with AES: apart, so that only those who want it build swift-crypto.
        .target(name: "CairnRocksEncryption", dependencies: ["CairnCore", "CairnRocks", crypto, cryptoExtras]),
        // The constant database: reader, writer, persistent dictionary.
        .target(name: "CairnCDB", dependencies: ["CairnCore", "CCairn"]),
        // The memory-mapped store: preferences, caches, session state.
        .target(name: "CairnMapped", dependencies: ["CairnCore", "CCairn"]),
        // Importers and exporters of mapped stores: apart, since most programs need them once or never.
        .target(name: "CairnMappedImport", dependencies: ["CairnCDB", "CairnCore", "CairnMapped"]),
        // What the encryption of mapped and object stores has in common: keys from passphrases, sealed records. Part of no product.
        .target(name: "CairnCiphers", dependencies: [crypto, cryptoExtras]),
        // Mapped stores encrypted with AES-GCM or ChaCha20-Poly1305: apart for the same reason.
        .target(
            name: "CairnMappedEncryption",
            dependencies: ["CairnCiphers", "CairnCore", "CairnMapped", "CairnMappedImport", crypto, cryptoExtras]
        ),
        // What object stores ask of the engine that holds them: views, atomic commits, a feed; and an engine in memory.
        .target(name: "CairnEngine", dependencies: ["CairnCore"]),
        // What every storage engine must pass, for those who write one.
        .target(name: "CairnEngineConformance", dependencies: ["CairnCore", "CairnEngine"]),
        // The engine on RocksDB.
        .target(name: "CairnRocksEngine", dependencies: ["CairnCore", "CairnEngine", "CairnRocks"]),
        // The system's SQLite: a module map. On Apple platforms, the SDK has one.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
        // Checksums of pages, below SQLite. One plain C header.
        .target(name: "CCairnSQLite", dependencies: ["CCairn", systemSQLite]),
        // The engine on SQLite: one file, for several processes.
        .target(name: "CairnSQLiteEngine", dependencies: ["CairnCore", "CairnEngine", "CCairnSQLite", systemSQLite]),
        // The client library of PostgreSQL. Optional: without its headers, the engine is built, and can open nothing.
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        // The engine on PostgreSQL: for several machines.
        .target(name: "CairnPostgresEngine", dependencies: ["CPostgres", "CairnCore", "CairnEngine"]),
        // The system's libcurl, for the gateway of etcd. Optional in the same way. macOS has it, without a file for pkg-config.
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        // The engine on etcd: for several machines.
        .target(
            name: "CairnEtcdEngine",
            dependencies: ["CCurl", "CairnCore", "CairnEngine"],
            linkerSettings: [.linkedLibrary("curl", .when(platforms: [.macOS]))]
        ),
        // The language of full-text search: queries, folded text, grams. It knows no objects.
        .target(name: "CairnText", dependencies: ["CairnCore"]),
        // Object graphs on any engine: contexts, records, relationships, queries, undo. No macros, so no swift-syntax.
        .target(name: "CairnGraph", dependencies: ["CairnCore", "CairnEngine", "CairnText"]),
        // Object graphs with `@Stored`: what uses this builds swift-syntax.
        .target(name: "CairnStored", dependencies: ["CairnGraph", "CairnObjectsMacros"]),
        .macro(
            name: "CairnObjectsMacros",
            dependencies: [
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax", condition: macros),
                .product(name: "SwiftDiagnostics", package: "swift-syntax", condition: macros),
                .product(name: "SwiftSyntax", package: "swift-syntax", condition: macros),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax", condition: macros),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax", condition: macros),
            ]
        ),
        // Object graphs in directories, on RocksDB.
        .target(name: "CairnRocksGraph", dependencies: ["CairnCore", "CairnGraph", "CairnRocksEngine"]),
        // Object graphs in files of SQLite, for several processes.
        .target(name: "CairnSQLiteGraph", dependencies: ["CairnGraph", "CairnSQLiteEngine"]),
        // Object graphs in databases of PostgreSQL, for several machines.
        .target(name: "CairnPostgresGraph", dependencies: ["CairnGraph", "CairnPostgresEngine"]),
        // Object graphs in clusters of etcd, for several machines.
        .target(name: "CairnEtcdGraph", dependencies: ["CairnEtcdEngine", "CairnGraph"]),
        // Object graphs in directories, with the macros, in one import.
        .target(name: "CairnObjects", dependencies: ["CairnRocksGraph", "CairnStored"]),
        // Object stores encrypted with AES-GCM: apart for the same reason.
        .target(name: "CairnObjectsEncryption", dependencies: ["CairnCiphers", "CairnCore", "CairnGraph", crypto]),
        // The importer of BNRPersistence's directories: apart, since it is needed once, and needs swift-crypto for those that are encrypted.
        .target(name: "CairnObjectsBNR", dependencies: ["CairnCore", "CairnGraph", crypto, cryptoExtras]),
        // What the tool does without a store: reading records, writing text, tables and JSON. Part of no product.
        .target(name: "CairnToolKit", dependencies: ["CairnCore"], path: "Tool/CairnToolKit"),
        // Tables from CSV, TSV and JSON Lines as constant databases with typed rows: a plugin, and the program that it runs, which builds nothing else.
        .plugin(name: "ConstantDatabasePlugin", capability: .buildTool(), dependencies: ["cairn-cdb-compiler"]),
        .executableTarget(name: "cairn-cdb-compiler", dependencies: ["CairnTables", "CairnToolKit"], path: "Tool/cairn-cdb-compiler"),
        .target(name: "CairnTables", dependencies: ["CairnCDB", "CairnCore", "CairnToolKit"], path: "Tool/CairnTables"),
        // How keys, values and objects of all stores are written as text and JSON, for the tool and the inspector. Part of no product.
        .target(name: "CairnForms", dependencies: stores + ["CairnToolKit"], path: "Tool/CairnForms"),
        // A page in a browser that shows what is in a store. Apart, since it is a server of HTTP.
        .target(
            name: "CairnInspector",
            dependencies: stores + [
                "CairnCDB", "CairnForms", "CairnToolKit", .product(name: "FlyingSocks", package: "FlyingFox", condition: inspector),
            ],
            resources: [.embedInCode("Web")]
        ),
        // Metrics, logs, traces and the lifecycle of stores, as servers have them. Apart, since it needs their packages; empty without the trait.
        .target(name: "CairnTelemetry", dependencies: stores + telemetry + ["CairnCDB", "CairnEngine", "CairnRocksEngine"]),
        // Sessions and cached responses of servers written with Hummingbird. Nothing without its trait.
        .target(
            name: "CairnHummingbird",
            dependencies: [
                "CairnCore", "CairnMapped",
                .product(name: "HTTPTypes", package: "swift-http-types", condition: hummingbird),
                .product(name: "Hummingbird", package: "hummingbird", condition: hummingbird),
                .product(name: "Logging", package: "swift-log", condition: hummingbird),
                .product(name: "NIOCore", package: "swift-nio", condition: hummingbird),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: hummingbird),
            ]
        ),
        // The four stores at work on real data, for `cairn tour`, and in a program of its own, which builds nothing else.
        .target(
            name: "CairnTour",
            dependencies: ["CairnCDB", "CairnCore", "CairnMapped", "CairnRocks", "CairnRocksGraph", "CairnToolKit"],
            path: "Tool/CairnTour"
        ),
        .executableTarget(name: "cairn-tour", dependencies: ["CairnCore", "CairnToolKit", "CairnTour"], path: "Tool/cairn-tour"),
        // Line editing for the tool's shell. Optional: without libedit's headers, the shell reads lines as they are.
        .systemLibrary(name: "CEditLine", path: "Tool/CEditLine", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),
        // The command-line tool: the one place where every store meets.
        .executableTarget(
            name: "cairn",
            dependencies: [
                "CEditLine", "CairnCDB", "CairnCore", "CairnEtcdGraph", "CairnForms", "CairnMapped", "CairnMappedEncryption",
                "CairnMappedImport", "CairnObjectsBNR", "CairnObjectsEncryption", "CairnPostgresGraph", "CairnRocks", "CairnRocksGraph",
                "CairnSQLiteGraph", "CairnToolKit", "CairnTour", .target(name: "CairnInspector", condition: inspector),
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: tool),
                crypto,
            ],
            path: "Tool/cairn",
            // Part of the system there, without a file for pkg-config.
            linkerSettings: [.linkedLibrary("edit", .when(platforms: [.macOS]))]
        ),
        // What is fuzzed: decoders given any bytes, for the fuzzers in Fuzz/ and for the tests that replay what they kept. Part of no product.
        .target(
            name: "CairnFuzzTargets",
            dependencies: [
                "CairnCDB", "CairnCore", "CairnEngine", "CairnGraph", "CairnInspector", "CairnMapped", "CairnMappedImport",
                "CairnObjectsBNR", "CairnRocks", "CairnSQLiteEngine", "CairnText", "CairnToolKit",
            ],
            path: "Kits/CairnFuzzTargets"
        ),
        // What tests need of the system that Swift cannot do: stopping after each store to memory, seeing which files are synced.
        .target(name: "CTestSupport", path: "Kits/CTestSupport"),
        // Temporary directories, seeded generators, operation sequences: shared by the tests, part of no product.
        .target(name: "CairnTestSupport", dependencies: ["CairnCore", "CTestSupport"], path: "Kits/CairnTestSupport"),
        // Kills processes that write to a store, and verifies what they leave: for `make crash` and for the tests.
        .target(
            name: "CairnCrashKit",
            dependencies: [
                "CairnCDB", "CairnCore", "CairnMapped", "CairnObjectsEncryption", "CairnRocks", "CairnRocksGraph",
                "CairnSQLiteGraph", "CairnTestSupport",
            ],
            path: "Kits/CairnCrashKit"
        ),
        // Histories of many clients, and whether they could have happened one after the other.
        .target(
            name: "CairnHistoryKit",
            dependencies: ["CairnCore", "CairnEngine", "CairnGraph", "CairnTestSupport"],
            path: "Kits/CairnHistoryKit"
        ),
        // What object stores do on every engine that several programs share, for the tests of these engines.
        .target(
            name: "CairnSharedStoreKit",
            dependencies: ["CairnGraph", "CairnObjectsEncryption", "CairnStored", "CairnTestSupport", crypto],
            path: "Kits/CairnSharedStoreKit"
        ),
        // Servers of PostgreSQL for tests, one with a standby, and a proxy that loses what it is asked to.
        .target(name: "CairnPostgresKit", dependencies: ["CPostgres", "CairnTestSupport"], path: "Kits/CairnPostgresKit"),
        // Servers of etcd for tests: one, and a cluster of three.
        .target(name: "CairnEtcdKit", dependencies: ["CCurl", "CairnTestSupport"], path: "Kits/CairnEtcdKit"),
        // The second process of the model test of mapped stores.
        .executableTarget(name: "cairn-mapped-peer", dependencies: ["CairnMapped", "CairnMappedImport"], path: "Kits/cairn-mapped-peer"),
        // The second process of the tests of sessions. Nothing without the trait.
        .executableTarget(
            name: "cairn-hummingbird-peer",
            dependencies: [
                "CairnHummingbird", "CairnMapped", .product(name: "Hummingbird", package: "hummingbird", condition: hummingbird),
            ],
            path: "Kits/cairn-hummingbird-peer"
        ),
        // The second process of the tests of the engine on SQLite.
        .executableTarget(
            name: "cairn-sqlite-peer",
            dependencies: [
                "CairnCore", "CairnEngine", "CairnHistoryKit", "CairnObjectsEncryption", "CairnSQLiteEngine", "CairnSQLiteGraph",
            ],
            path: "Kits/cairn-sqlite-peer"
        ),
        // The command line of the crash kit, and the process that it kills.
        .executableTarget(
            name: "cairn-crash",
            dependencies: [
                "CairnCrashKit", "CairnEtcdGraph", "CairnPostgresGraph", "CairnRocksGraph", "CairnSQLiteGraph", "CairnTestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: tool),
            ],
            path: "Kits/cairn-crash"
        ),
        // What `make cluster` runs: three members of etcd, and PostgreSQL with a standby.
        .executableTarget(
            name: "cairn-cluster",
            dependencies: [
                "CairnEtcdKit", "CairnPostgresKit", "CairnTestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: tool),
            ],
            path: "Kits/cairn-cluster"
        ),
        .testTarget(name: "CairnCoreTests", dependencies: ["CairnCore", "CairnTestSupport"], resources: [.copy("Vectors")]),
        .testTarget(name: "CairnRocksTests", dependencies: ["CairnCore", "CairnRocks", "CairnTestSupport"]),
        .testTarget(
            name: "CairnRocksEncryptionTests",
            dependencies: ["CairnCore", "CairnRocks", "CairnRocksEncryption", "CairnTestSupport", crypto],
            resources: [.copy("Golden")]
        ),
        .testTarget(name: "CairnCDBTests", dependencies: ["CairnCDB", "CairnCore", "CairnTestSupport"]),
        .testTarget(
            name: "CairnMappedTests",
            dependencies: ["CairnCore", "CairnMapped", "CairnMappedImport", "CairnTestSupport", "cairn-mapped-peer"]
        ),
        .testTarget(
            name: "CairnMappedImportTests",
            dependencies: ["CairnCDB", "CairnCore", "CairnMapped", "CairnMappedImport", "CairnTestSupport"]
        ),
        .testTarget(
            name: "CairnMappedEncryptionTests",
            dependencies: ["CairnCore", "CairnMapped", "CairnMappedEncryption", "CairnMappedImport", "CairnTestSupport", crypto],
            resources: [.copy("Golden")]
        ),
        .testTarget(
            name: "CairnObjectsTests",
            dependencies: [
                "CairnCore", "CairnEngine", "CairnEngineConformance", "CairnEtcdEngine", "CairnEtcdKit", "CairnGraph", "CairnHistoryKit",
                "CairnObjects", "CairnPostgresEngine", "CairnPostgresKit", "CairnRocks", "CairnRocksEngine", "CairnSQLiteEngine",
                "CairnTestSupport", "CairnText", systemSQLite,
            ]
        ),
        .testTarget(
            name: "CairnSQLiteEngineTests",
            dependencies: [
                "CairnCore", "CairnEngine", "CairnEngineConformance", "CairnHistoryKit", "CairnSQLiteEngine", "CairnTestSupport",
                "cairn-sqlite-peer", systemSQLite,
            ],
            resources: [.copy("Golden")]
        ),
        .testTarget(
            name: "CairnPostgresEngineTests",
            dependencies: [
                "CairnCore", "CairnEngine", "CairnEngineConformance", "CairnHistoryKit", "CairnObjectsEncryption", "CairnPostgresEngine",
                "CairnPostgresGraph", "CairnPostgresKit", "CairnSharedStoreKit", "CairnStored", "CairnTestSupport", crypto,
            ]
        ),
        .testTarget(
            name: "CairnEtcdEngineTests",
            dependencies: [
                "CairnCore", "CairnEngine", "CairnEngineConformance", "CairnEtcdEngine", "CairnEtcdGraph", "CairnEtcdKit",
                "CairnHistoryKit", "CairnObjectsEncryption", "CairnSharedStoreKit", "CairnStored", "CairnTestSupport", crypto,
            ]
        ),
        .testTarget(
            name: "CairnSQLiteGraphTests",
            dependencies: [
                "CairnGraph", "CairnHistoryKit", "CairnObjectsEncryption", "CairnSQLiteGraph", "CairnSharedStoreKit", "CairnStored",
                "CairnTestSupport", "cairn-sqlite-peer", crypto,
            ]
        ),
        .testTarget(
            name: "CairnObjectsEncryptionTests",
            dependencies: [
                "CairnCore", "CairnEngine", "CairnEngineConformance", "CairnGraph", "CairnHistoryKit", "CairnObjects",
                "CairnObjectsEncryption", "CairnRocks", "CairnSQLiteEngine", "CairnTestSupport", crypto,
            ]
        ),
        .testTarget(name: "CairnObjectsMacrosTests", dependencies: ["CairnObjects"]),
        .testTarget(
            name: "CairnObjectsBNRTests",
            dependencies: ["CairnCore", "CairnObjects", "CairnObjectsBNR", "CairnTestSupport", crypto, cryptoExtras],
            exclude: ["Golden"]
        ),
        .testTarget(name: "CairnCrashTests", dependencies: ["CairnCrashKit", "CairnTestSupport", "cairn-crash"]),
        .testTarget(name: "CairnFuzzTests", dependencies: ["CairnCore", "CairnFuzzTargets"]),
        .testTarget(
            name: "CairnInspectorTests",
            dependencies: [
                "CairnCDB", "CairnInspector", "CairnMapped", "CairnObjects", "CairnObjectsEncryption", "CairnRocks", "CairnTestSupport",
                "CairnToolKit", crypto,
            ]
        ),
        // Empty without the trait: `make server-test` enables it.
        .testTarget(
            name: "CairnTelemetryTests",
            dependencies: stores + telemetry + telemetryKits + [
                "CairnCDB", "CairnEngine", "CairnRocksEngine", "CairnRocksGraph", "CairnTelemetry", "CairnTestSupport",
            ]
        ),
        // With the trait, and `CAIRN_TESTS="CairnHummingbirdTests"`.
        .testTarget(
            name: "CairnHummingbirdTests",
            dependencies: [
                "CairnCore", "CairnHummingbird", "CairnMapped", "CairnTestSupport", "cairn-hummingbird-peer",
                .product(name: "HTTPTypes", package: "swift-http-types", condition: hummingbird),
                .product(name: "Hummingbird", package: "hummingbird", condition: hummingbird),
                .product(name: "Logging", package: "swift-log", condition: hummingbird),
                .product(name: "NIOEmbedded", package: "swift-nio", condition: hummingbird),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: hummingbird),
            ]
        ),
        .testTarget(
            name: "CairnToolTests",
            dependencies: [
                "CairnCDB", "CairnCore", "CairnEtcdGraph", "CairnEtcdKit", "CairnMapped", "CairnMappedEncryption", "CairnObjects",
                "CairnObjectsEncryption", "CairnPostgresGraph", "CairnPostgresKit", "CairnRocks", "CairnSQLiteGraph", "CairnTables",
                "CairnTestSupport",
                "CairnToolKit", "cairn", "cairn-cdb-compiler", "cairn-cluster", "cairn-crash", "cairn-tour", systemSQLite,
            ]
        ),
    ],
    swiftLanguageModes: [.v6],
    // The shim is C++17, but the headers of recent RocksDB releases ask for C++20.
    cxxLanguageStandard: .cxx20
)

// `make test TESTS="CairnMappedTests"` builds these tests alone, and what they need.
if let tests = Context.environment["CAIRN_TESTS"]?.split(separator: " ").map(String.init) {
    package.targets.removeAll { $0.type == .test && !tests.contains($0.name) }
}

// As in CI. A flag of the build would concern the code of other packages too.
let warnings: [SwiftSetting] = Context.environment["CAIRN_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

// One set of language rules for all Swift code of the package.
for target in package.targets where ![.system, .plugin, .binary].contains(target.type) {
    guard !["CRocks", "CCairn", "CCairnSQLite", "CTestSupport"].contains(target.name), target.type != .macro else { continue }
    target.swiftSettings =
        [
            .strictMemorySafety(),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            // Lent entries (`~Escapable` results). Needed here only: clients compile without it.
            .enableExperimentalFeature("Lifetimes"),
        ] + warnings
}
