import ArgumentParser
import CairnCore
import CairnToolKit

/// The words of a command line that select a command.
enum CommandWords {
    /// Completes `cairn PATH` to `cairn doctor PATH`; refuses words that select nothing, and says what may be meant.
    static func complete(_ arguments: [String]) throws -> [String] {
        var command: any ParsableCommand.Type = Cairn.self
        var path = "cairn"
        // The help of a command.
        let start = arguments.first == "help" ? 1 : 0
        for (index, word) in arguments.enumerated().dropFirst(start) {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-"), word != "help" else { break }
            if let next = subcommands.first(where: { names(of: $0).contains(word) }) {
                command = next
                path += " " + word
            } else if index == 0, isPath(word) {
                return ["doctor"] + arguments
            } else {
                throw unknown(word, in: command, path)
            }
        }
        return arguments
    }

    private static func names(of command: any ParsableCommand.Type) -> [String] { [command._commandName] + command.configuration.aliases }

    private static func isPath(_ word: String) -> Bool {
        word.contains("/") || RawArguments.isForeign(word) || StoreLocation.path(in: word) != nil
            || (try? FileSystem.system.stat(word)) != nil
    }

    private static func unknown(_ word: String, in command: any ParsableCommand.Type, _ path: String) -> Failure {
        let near = nearest(word, command.configuration.subcommands.map { $0._commandName })
        // A command of a kind of store, without the kind.
        let nested = commands(named: word, in: Cairn.self, "cairn")
        let meant = near.map { ["\(path) \($0)"] } ?? nested
        let hint =
            meant.isEmpty
            ? "'\(path) --help' lists the commands."
            : "Did you mean \(meant.map { "'\($0)'" }.joined(separator: " or "))?"
        if path == "cairn", word.contains(".") || word.isEmpty {
            return Failure(.usage, "There is neither a command nor a file '\(word)'.", hint: hint)
        }
        return Failure(.usage, "There is no command '\(path) \(word)'.", hint: hint)
    }

    /// The name that may be meant by a word that is none.
    static func nearest(_ word: String, _ names: [String]) -> String? {
        names.map { (name: $0, distance: distance(word, $0)) }
            .filter { $0.distance <= max(1, (word.count + 1) / 3) }
            .min { $0.distance < $1.distance }?
            .name
    }

    /// The commands of this name, with the words that select them.
    private static func commands(named word: String, in command: any ParsableCommand.Type, _ path: String) -> [String] {
        command.configuration.subcommands.flatMap { subcommand in
            let words = path + " " + subcommand._commandName
            return (names(of: subcommand).contains(word) ? [words] : []) + commands(named: word, in: subcommand, words)
        }
    }

    /// The number of characters to insert, remove, replace or swap with the next (the optimal string alignment distance).
    private static func distance(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first), Array(second))
        var rows = [Array(0...second.count)]
        for row in first.indices {
            var next = [row + 1]
            for column in second.indices {
                let replaced = rows[row][column] + (first[row] == second[column] ? 0 : 1)
                next.append(min(replaced, rows[row][column + 1] + 1, next[column] + 1))
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    next[column + 1] = min(next[column + 1], rows[row - 1][column - 1] + 1)
                }
            }
            rows.append(next)
        }
        return rows[first.count][second.count]
    }
}
