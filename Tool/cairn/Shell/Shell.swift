import ArgumentParser
import CairnCore
import CairnToolKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `cairn shell`: commands for one store, a line each.
struct Shell: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run commands on one store, without repeating its path.",
        discussion: """
            For RocksDB databases, object stores, mapped stores and constant databases:

              cairn shell music.db
              music.db> put Hello World
              music.db> scan --prefix H --limit 10

            Each line is a command of 'cairn rocks', 'objects', 'mapped' or 'cdb', without the path, or 'doctor'. 'help' lists the commands, 'help scan' \
            explains one, 'exit' or Ctrl-D ends the shell. Words are quoted as in other shells. An object store also has the commands of 'cairn rocks'.

            The store is opened for each command and closed after it, so other programs can use it in between.

            On a terminal, lines can be edited and completed with Tab, and are remembered in ~/.cairn_history, or in the file that the environment variable \
            CAIRN_HISTORY names; if the variable is empty, they are not remembered. From a pipe or a file, lines that begin with # are skipped, the first command that fails ends \
            the shell with its exit code, and if a command answers no, the exit code is 1.
            """
    )

    @Argument(
        help:
            "The file or directory of the store, also as rocksdb:PATH or sqlite:PATH, postgresql://USER@HOST/DATABASE#STORE, or etcd://HOST:PORT/PREFIX.",
        completion: .file()
    ) var path: String
    @OptionGroup var key: KeyArguments
    @OptionGroup var password: PasswordArguments

    func validate() throws {
        try password.validate(for: path)
        for (option, file) in [("--passphrase-file", key.passphraseFile), ("--password-file", password.passwordFile)] where file == "-" {
            throw ValidationError("\(option) must name a file: the shell reads commands from standard input.")
        }
    }

    func run() throws {
        let store = try ShellStore(path: path, key: key.options, password: password.options(for: path))
        if Terminal.isInteractive { return try interact(store) }
        var worst = ExitStatus.done
        while let line = readLine() {
            guard !line.hasPrefix("#"), let arguments = try arguments(line, store) else { continue }
            if arguments == Self.end { break }
            let status = try ChildProcess.run(arguments, .script)
            guard status == .done || status == .no else { throw status }
            if status == .no { worst = .no }
        }
        if worst != .done { throw worst }
    }

    private func interact(_ store: ShellStore) throws {
        let editor = LineEditor(history: Self.history) { before in ShellCompletion(store).candidates(before) }
        let prompt = "\(EscapedText.string(Array(URL(fileURLWithPath: path).lastPathComponent.utf8)))> "
        while let line = editor.readLine(prompt) {
            do {
                guard let arguments = try arguments(line, store) else { continue }
                if arguments == Self.end { return }
                _ = try ChildProcess.run(arguments, .terminal)
            } catch let failure as Failure {
                failure.report()
            }
        }
    }

    private static let end = ["exit"]

    /// The arguments of `cairn` for a line; `nil` if there is nothing to run.
    private func arguments(_ line: String, _ store: ShellStore) throws -> [String]? {
        // What is not UTF-8 has become this character.
        guard !line.unicodeScalars.contains("\u{FFFD}") else {
            throw Failure(.usage, "The line is not UTF-8, or contains U+FFFD.", hint: "Commands outside of the shell accept any bytes.")
        }
        let words = try ShellWords.split(line)
        guard let first = words.first else { return nil }
        if ["exit", "quit"].contains(first) { return Self.end }
        if words == ["help"] {
            try printing { output in
                for command in store.commands + [Doctor.self] {
                    let name = command._commandName
                    try output.writeLine(name + String(repeating: " ", count: max(1, 18 - name.count)) + command.configuration.abstract)
                }
            }
            return nil
        }
        return try store.arguments(words)
    }

    /// Where lines are remembered; `nil`: nowhere.
    private static var history: String? {
        let environment = ProcessInfo.processInfo.environment
        guard let path = environment["CAIRN_HISTORY"] ?? environment["HOME"].map({ FileSystem.join($0, ".cairn_history") }) else {
            return nil
        }
        guard let kind = (try? FileSystem.system.stat(path))?.kind else { return path.isEmpty ? nil : path }
        // A pipe would be waited for.
        return kind == .file ? path : nil
    }
}
