import ArgumentParser

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The password for a server of PostgreSQL or etcd.
struct PasswordArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file whose first line is the password for the PostgreSQL or etcd server; '-' is standard input. (default: CAIRN_PASSWORD; for PostgreSQL also PGPASSWORD and ~/.pgpass)",
            valueName: "file"
        ),
        completion: .file()
    )
    var passwordFile: String?

    func location(_ text: String) throws -> StoreLocation { try StoreLocation(text, password: password()) }

    /// The places of a move. The password of the destination is that of the source, unless a file or the environment has another.
    func locations(_ from: String, _ to: String, toPasswordFile: String?) throws -> (StoreLocation, StoreLocation) {
        let password = try password()
        let other = try Self.password(toPasswordFile, variable: "CAIRN_TO_PASSWORD") ?? password
        return (try StoreLocation(from, password: password), try StoreLocation(to, password: other))
    }

    private func password() throws -> String? { try Self.password(passwordFile, variable: "CAIRN_PASSWORD") }

    private static func password(_ file: String?, variable: String) throws -> String? {
        if let file { return try KeyFile.line(file, "password") }
        let value = ProcessInfo.processInfo.environment[variable] ?? ""
        return value.isEmpty ? nil : value
    }

    /// The options as they were given, if the place needs them.
    func options(for place: String) -> [String] {
        StoreLocation.takesPassword(place) ? passwordFile.map { ["--password-file", $0] } ?? [] : []
    }

    /// Refuses a password that none of the places needs.
    func validate(for places: String...) throws {
        try Self.validate(passwordFile, "--password-file", for: places)
    }

    static func validate(_ file: String?, _ option: String, for places: [String]) throws {
        guard file == nil || places.contains(where: StoreLocation.takesPassword) else {
            throw ValidationError("\(option) is for stores in PostgreSQL, and in etcd if the URL has a user.")
        }
    }
}
