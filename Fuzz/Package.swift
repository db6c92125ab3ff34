// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that fuzzers and sanitizers never reach those who use Cairn. `scripts/fuzz` builds it with the flags it needs.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Cairn", path: "..")],
    targets: [
        // What is fuzzed: a link to the main package's target of that name, which its tests use and which is part of no product.
        .target(
            name: "CairnFuzzTargets",
            dependencies: [
                .product(name: "CairnCore", package: "Cairn"),
                .product(name: "CairnRocks", package: "Cairn"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ]
        ),
        // One executable for each target: libFuzzer's `main` calls its only function.
        fuzzer("keys"), fuzzer("values"), fuzzer("varints"), fuzzer("batches"),
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
