import ArgumentParser
import CairnToolKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The tool; a file per command.
struct Cairn: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cairn",
        abstract: "Look into embedded key-value stores, fill them, check them.",
        discussion: """
            Begin with one of these:

              cairn tour           shows what the stores do, on data of this machine
              cairn doctor PATH    says what a file or directory is, and how it is
              cairn help rocks     lists the commands for one kind of store

            Commands that only read change nothing. With --json, commands print for programs.

            \(ExitStatus.help)
            """,
        version: "0.1.0",
        subcommands: [TourCommand.self, Doctor.self, Rocks.self, CDB.self, Mapped.self, Objects.self]
    )
}

@main
enum Main {
    static func main() {
        OutputWriter.ignoreBrokenPipes()
        if let status = ClassicCDB.run(CommandLine.arguments) { exit(status) }
        do {
            var command = try Cairn.parseAsRoot()
            try command.run()
        } catch {
            Cairn.exit(withError: ExitCode(report(error).rawValue))
        }
    }

    /// Tells the user about `error`, and how the process is to end.
    private static func report(_ error: any Error) -> ExitStatus {
        if case .closed = error as? OutputError { return .done }
        if let status = error as? ExitStatus { return status }
        if let failure = Failure(error) {
            let terminal = Terminal(.error)
            var text = terminal.styled("Error:", .red) + " " + failure.message + "\n"
            if let hint = failure.hint { text += terminal.styled("Hint:", .cyan) + " " + hint + "\n" }
            write(text, to: .error)
            return failure.status
        }
        let isHelp = Cairn.exitCode(for: error) == .success
        write(Cairn.fullMessage(for: error) + "\n", to: isHelp ? .output : .error)
        return isHelp ? .done : .usage
    }

    /// Whoever does not read the last words does not need them.
    private static func write(_ text: String, to stream: Terminal.Stream) {
        let writer = OutputWriter(stream)
        try? writer.write(text)
        try? writer.flush()
    }
}
