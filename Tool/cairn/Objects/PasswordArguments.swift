import ArgumentParser

/// The password for a server of PostgreSQL or etcd.
struct PasswordArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file whose first line is the password for the server of PostgreSQL or etcd; '-' is standard input. PostgreSQL's is otherwise in PGPASSWORD or ~/.pgpass.",
            valueName: "file"
        ),
        completion: .file()
    )
    var passwordFile: String?

    /// The places, with the password, which is read once.
    func locations(_ texts: String...) throws -> [StoreLocation] {
        let password = try passwordFile.map { try KeyFile.line($0, "password") }
        return try texts.map { try StoreLocation($0, password: password) }
    }

    func location(_ text: String) throws -> StoreLocation { try locations(text)[0] }

    /// The options as they were given, if one of the places needs them.
    func options(for place: String) -> [String] { StoreLocation.isURL(place) ? passwordFile.map { ["--password-file", $0] } ?? [] : [] }

    /// Refuses a password that none of the places needs.
    func validate(for places: String...) throws {
        guard passwordFile == nil || places.contains(where: StoreLocation.isURL) else {
            throw ValidationError("--password-file is for stores in PostgreSQL and etcd.")
        }
    }
}
