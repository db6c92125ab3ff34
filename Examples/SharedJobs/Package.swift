// swift-tools-version: 6.2
import PackageDescription

// Copy this, and take the package by its address instead of its place here.
let package = Package(
    name: "SharedJobs",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "cairn", path: "../..")],
    targets: [
        .executableTarget(
            name: "SharedJobs",
            dependencies: [
                .product(name: "CairnEtcdGraph", package: "cairn"), .product(name: "CairnPostgresGraph", package: "cairn"),
                .product(name: "CairnSQLiteGraph", package: "cairn"), .product(name: "CairnStored", package: "cairn"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
