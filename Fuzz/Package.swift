// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that fuzzers and sanitizers never reach those who use Cairn. `scripts/fuzz` builds it with the flags it needs.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Cairn", path: "..")],
    targets: [
        // What is fuzzed: links to targets of the main package that are part of no product, compiled as one, without what uses the file
        // layer, which other packages do not see.
        .target(
            name: "CairnFuzzTargets",
            dependencies: [
                .product(name: "CairnCore", package: "Cairn"),
                .product(name: "CairnRocks", package: "Cairn"),
                .product(name: "CairnCDB", package: "Cairn"),
                .product(name: "CairnMapped", package: "Cairn"),
            ],
            exclude: ["ToolKit/Output/OutputWriter.swift", "ToolKit/Output/Progress.swift"],
            swiftSettings: [
                .define("FUZZ_PACKAGE"),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ]
        ),
        // One executable for each target: libFuzzer's `main` calls its only function.
        fuzzer("keys"), fuzzer("values"), fuzzer("varints"), fuzzer("batches"), fuzzer("records"), fuzzer("cdb"), fuzzer("cdb-text"),
        fuzzer("mmkv"), fuzzer("goose"), fuzzer("mapped-json"), fuzzer("property-lists"),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx20
)

func fuzzer(_ name: String) -> Target {
    .executableTarget(
        name: "fuzz-\(name)",
        dependencies: ["CairnFuzzTargets"],
        swiftSettings: [.unsafeFlags(["-parse-as-library"])]
    )
}
