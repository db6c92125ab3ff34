// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that rivals and flags of the benchmarks never reach those who use Cairn.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Cairn", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
    ],
    targets: [
        // The RocksDB installed on the system: the same library that Cairn uses, under a name of its own.
        .systemLibrary(
            name: "SystemRocksDB",
            pkgConfig: "rocksdb",
            providers: [.apt(["librocksdb-dev"]), .brew(["rocksdb"])]
        ),
        // The rival: each workload as a plain C++ program, whole loops, called once per round.
        .target(name: "RivalRocksDB", dependencies: ["SystemRocksDB"]),
        // tinycdb's library, and each workload of the constant database as a plain C program.
        .systemLibrary(name: "SystemCDB", pkgConfig: "libcdb", providers: [.apt(["libcdb-dev"])]),
        .target(name: "RivalCDB", dependencies: ["SystemCDB"], linkerSettings: [.linkedLibrary("cdb")]),
        // What Swift cannot do: counting allocations, marking measured code for profilers.
        .target(name: "BenchSupport"),
        // What the programs share: random numbers, medians, tables.
        .target(name: "BenchKit"),
        // The program: the same workloads through CairnRocks, rounds in turn, ratios.
        .executableTarget(
            name: "bench",
            dependencies: [
                "BenchKit", "BenchSupport", "RivalRocksDB",
                .product(name: "CairnCore", package: "Cairn"),
                .product(name: "CairnRocks", package: "Cairn"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        // The same for CairnCDB beside libcdb.
        .executableTarget(
            name: "bench-cdb",
            dependencies: [
                "BenchKit", "RivalCDB",
                .product(name: "CairnCore", package: "Cairn"),
                .product(name: "CairnCDB", package: "Cairn"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        // LMDB, and each workload of the mapped store as a plain C program.
        .systemLibrary(name: "SystemLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        .target(name: "RivalLMDB", dependencies: ["SystemLMDB"], linkerSettings: [.linkedLibrary("lmdb")]),
        // CairnMapped beside LMDB, a dictionary behind a lock, and SQLite through GRDB.
        .executableTarget(
            name: "bench-mapped",
            dependencies: [
                "BenchKit", "RivalLMDB",
                .product(name: "CairnMapped", package: "Cairn"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        // Each program of the object store as a plain C program with SQLite.
        .target(name: "RivalSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        // CairnObjects beside SQLite in C and records of GRDB.
        .executableTarget(
            name: "bench-objects",
            dependencies: [
                "BenchKit", "RivalSQLite",
                .product(name: "CairnObjects", package: "Cairn"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx20
)

// One set of language rules for all Swift code of the package.
for target in package.targets where target.type == .executable || target.name == "BenchKit" {
    target.swiftSettings = [
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableExperimentalFeature("Lifetimes"),
    ]
}
