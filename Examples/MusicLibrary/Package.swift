// swift-tools-version: 6.2
import PackageDescription

// Copy this, and take the package by its address instead of its place here.
let package = Package(
    name: "MusicLibrary",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "cairn", path: "../..")],
    targets: [.executableTarget(name: "MusicLibrary", dependencies: [.product(name: "CairnObjects", package: "cairn")])],
    swiftLanguageModes: [.v6]
)
