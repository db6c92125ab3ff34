import ArgumentParser

/// What can follow the cursor in the shell.
struct ShellCompletion {
    let store: ShellStore

    init(_ store: ShellStore) { self.store = store }

    /// The words that the last word of `line` can become; none: names of files.
    func candidates(_ line: String) -> [String] {
        guard let words = try? ShellWords.split(line) else { return [] }
        let isNew = line.last?.isWhitespace ?? true
        let (before, word) = isNew ? (words, "") : (words.dropLast(), words.last ?? "")
        return all(Array(before), word).filter { $0.hasPrefix(word) }
    }

    private func all(_ before: [String], _ word: String) -> [String] {
        let names = store.commands.map { $0._commandName } + [Doctor._commandName]
        if before.isEmpty { return (names + ["help", "exit"]).sorted() }
        if before == ["help"] { return names.sorted() }
        guard word.hasPrefix("-") else { return [] }
        let command = before.first == Doctor._commandName ? Doctor.self : store.command(of: before)
        return command.map(options) ?? []
    }

    /// The long options of a command, as its help lists them.
    private func options(of command: any ParsableCommand.Type) -> [String] {
        let words = command.helpMessage().split { !$0.isLetter && $0 != "-" }
        return Set(words.filter { $0.hasPrefix("--") }.map(String.init)).sorted()
    }
}
