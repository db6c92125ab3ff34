// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that fuzzers and sanitizers never reach those who use Cairn. `scripts/fuzz` builds it with the flags it needs.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Cairn", path: "..")],
    targets: [
        // A link to a target of the main package that is part of no product, under another name, since those of targets are unique.
        .target(
            name: "ToolKitUnderFuzzing",
            dependencies: [.product(name: "CairnCore", package: "Cairn")],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .unsafeFlags(["-Xfrontend", "-disable-access-control"]),
            ]
        ),
        // What is fuzzed: a link to the target of the main package, and to a part of CairnObjectsBNR, compiled as one.
        .target(
            name: "CairnFuzzTargets",
            dependencies: [
                .product(name: "CairnCore", package: "Cairn"),
                .product(name: "CairnRocks", package: "Cairn"),
                .product(name: "CairnCDB", package: "Cairn"),
                .product(name: "CairnMapped", package: "Cairn"),
                .product(name: "CairnMappedImport", package: "Cairn"),
                .product(name: "CairnGraph", package: "Cairn"),
                .product(name: "CairnText", package: "Cairn"),
                .product(name: "CairnEngine", package: "Cairn"),
                .product(name: "CairnSQLiteEngine", package: "Cairn"),
                .product(name: "CairnInspector", package: "Cairn"),
                "ToolKitUnderFuzzing",
            ],
            swiftSettings: [
                .define("FUZZ_PACKAGE"),
                .unsafeFlags([
                    "-Xfrontend", "-disable-access-control", "-module-alias", "CairnToolKit=ToolKitUnderFuzzing",
                ]),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ]
        ),
        // libFuzzer's runtime comes in here alone; `scripts/fuzz` has all code say where it goes. Of the linkers lld gathers that.
        .executableTarget(
            name: "fuzz",
            dependencies: ["CairnFuzzTargets"],
            swiftSettings: [.enableExperimentalFeature("Extern"), .unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
        ),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx20
)
