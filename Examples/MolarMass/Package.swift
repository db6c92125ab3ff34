// swift-tools-version: 6.2
import PackageDescription

// Copy this, and take the package by its address instead of its place here.
let package = Package(
    name: "MolarMass",
    platforms: [.macOS(.v15)],
    // No trait: a table needs nothing besides Cairn.
    dependencies: [.package(name: "cairn", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "MolarMass",
            dependencies: [.product(name: "CairnCDB", package: "cairn")],
            plugins: [.plugin(name: "ConstantDatabasePlugin", package: "cairn")]
        )
    ],
    swiftLanguageModes: [.v6]
)
