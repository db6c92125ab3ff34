// swift-tools-version: 6.2
import PackageDescription

// Copy this, and take the package by its address instead of its place here.
let package = Package(
    name: "KeyValueService",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "cairn", path: "../..", traits: ["Hummingbird"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
    ],
    targets: [
        .executableTarget(
            name: "KeyValueService",
            dependencies: [
                .product(name: "CairnHummingbird", package: "cairn"),
                .product(name: "CairnMapped", package: "cairn"),
                .product(name: "CairnRocks", package: "cairn"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        // Sessions beside Redis on loopback.
        .executableTarget(
            name: "SessionBenchmark",
            dependencies: [
                .product(name: "CairnHummingbird", package: "cairn"),
                .product(name: "CairnMapped", package: "cairn"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
