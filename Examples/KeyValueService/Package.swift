// swift-tools-version: 6.2
import PackageDescription

// Copy this, and take the package by its address instead of its place here.
let package = Package(
    name: "KeyValueService",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "cairn", path: "../..")],
    targets: [.executableTarget(name: "KeyValueService", dependencies: [.product(name: "CairnRocks", package: "cairn")])],
    swiftLanguageModes: [.v6]
)
