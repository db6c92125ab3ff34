import ArgumentParser
import CairnForms
import CairnRocks
import CairnToolKit

/// The store of a shell, and the commands that there are for it.
struct ShellStore {
    let path: String
    /// The options with the key, for the commands that take one, and with the password, for all.
    let key: [String]
    let password: [String]
    /// Their commands are found without their names; of two with one name, the first group's.
    let groups: [any ParsableCommand.Type]

    init(path place: String, key: [String], password: [String]) throws {
        path = StoreLocation.path(in: place) ?? place
        self.key = key
        self.password = password
        switch try PathKind.existing(path) {
        case .database: groups = try Self.isObjectStore(path) ? [Objects.self, Rocks.self] : [Rocks.self]
        case .sqlite, .postgres, .etcd: groups = [Objects.self]
        case .mapped: groups = [Mapped.self]
        case .cdb: groups = [CDB.self]
        default:
            throw Failure(
                .database,
                "'\(path)' is not a RocksDB database, an object store, a mapped store or a constant database.",
                hint: "'cairn doctor' identifies it."
            )
        }
    }

    private static func isObjectStore(_ path: String) throws -> Bool {
        let database = try DatabaseOpener(path: path).open(.readOnly)
        let isObjectStore = database.isObjectStore
        try database.close()
        return isObjectStore
    }

    /// The arguments of `cairn` for a line's words: with the names of the group and of the store.
    ///
    /// - Throws: `Failure` if there is no such command.
    func arguments(_ words: [String]) throws -> [String] {
        guard let first = words.first else { return [] }
        if first == "help" { return ["help"] + (try withGroup(Array(words.dropFirst()))) }
        if first == Doctor._commandName { return words + [path] + key + password }
        guard let (group, rest) = group(of: words) else { return try withGroup(words) }
        // The store is the first argument of each of these commands.
        let options = group.shellCommand(named: rest[0])?.takesKey(in: group) == true ? key + password : password
        return [group._commandName, rest[0], path] + rest.dropFirst() + options
    }

    /// The words with the name of the group, also of commands that take all their paths.
    private func withGroup(_ words: [String]) throws -> [String] {
        if words == [Doctor._commandName] { return words }
        if let (group, rest) = group(of: words) { return [group._commandName] + rest }
        let named = groups.first { $0._commandName == words.first }
        let rest = named == nil ? words : Array(words.dropFirst())
        guard let group = (named.map { [$0] } ?? groups).first(where: { $0.hasCommand(rest.first) }) else {
            let near = rest.first.flatMap { CommandWords.nearest($0, commands.map { $0._commandName } + [Doctor._commandName]) }
            let hint = near.map { "Did you mean '\($0)'?" } ?? "'help' lists the commands."
            throw Failure(.usage, "There is no command '\(words.prefix(named == nil ? 1 : 2).joined(separator: " "))'.", hint: hint)
        }
        return [group._commandName] + rest
    }

    /// The group of a command, and the words from the command on, unless there is no such command.
    private func group(of words: [String]) -> (any ParsableCommand.Type, [String])? {
        if let named = groups.first(where: { $0._commandName == words.first }) {
            let rest = Array(words.dropFirst())
            return rest.first.flatMap(named.shellCommand(named:)) == nil ? nil : (named, rest)
        }
        return groups.first { words.first.flatMap($0.shellCommand(named:)) != nil }.map { ($0, words) }
    }

    /// The command that a line begins with.
    func command(of words: [String]) -> (any ParsableCommand.Type)? {
        group(of: words).flatMap { group, rest in group.shellCommand(named: rest[0]) }
    }

    /// The commands, each once.
    var commands: [any ParsableCommand.Type] {
        var names: Set<String> = []
        return groups.flatMap { $0.shellCommands }.filter { names.insert($0._commandName).inserted }
    }
}

extension ParsableCommand {
    /// The commands of a group whose first argument is the store.
    fileprivate static var shellCommands: [any ParsableCommand.Type] {
        let others: [any ParsableCommand.Type] = [Rocks.Backups.self, Rocks.Restore.self, Objects.ImportBNR.self]
        return configuration.subcommands.filter { command in !others.contains { $0 == command } }
    }

    fileprivate static func hasCommand(_ name: String?) -> Bool { configuration.subcommands.contains { $0._commandName == name } }

    fileprivate static func shellCommand(named name: String) -> (any ParsableCommand.Type)? {
        shellCommands.first { $0._commandName == name || $0.configuration.aliases.contains(name) }
    }

    /// Whether a command of a group takes the key of an encrypted store. A store is moved as it is, without its key.
    fileprivate static func takesKey(in group: any ParsableCommand.Type) -> Bool {
        (group == Mapped.self || group == Objects.self) && self != Objects.Move.self
    }
}
