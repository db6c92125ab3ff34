import ArgumentParser
import CairnToolKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The tool. Each command has its own file.
struct Cairn: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cairn",
        abstract: "Inspect, fill and verify embedded key-value stores.",
        discussion: """
            Start with one of these:

              cairn tour           shows what the stores do, with data from this machine
              cairn PATH           says what a file or directory is, and whether it is intact (cairn doctor)
              cairn inspect PATH   shows a store in a browser
              cairn shell PATH     takes commands for a store, without its path
              cairn help rocks     lists the commands for RocksDB databases

            Commands that only read never change anything. --json prints output for programs.

            \(ExitStatus.help)
            """,
        version: "0.1.0",
        subcommands: [TourCommand.self, Doctor.self, InspectCommand.self, Shell.self, Rocks.self, CDB.self, Mapped.self, Objects.self]
    )
}

@main
enum Main {
    static func main() {
        OutputWriter.ignoreSignals()
        let arguments = RawArguments.texts
        if let status = ClassicCDB.run(arguments) { exit(status) }
        do {
            var command = try parse(Array(arguments.dropFirst()))
            try command.run()
        } catch {
            Cairn.exit(withError: ExitCode(report(error).rawValue))
        }
    }

    private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        do {
            let command = try Cairn.parseAsRoot(CommandWords.complete(arguments))
            try ByteArgument.refuseOthers(arguments)
            return command
        } catch {
            // A negative number is taken as an option, unless it looks otherwise.
            let numbers = arguments.map(ByteArgument.hidingSign)
            guard numbers != arguments, let command = try? Cairn.parseAsRoot(CommandWords.complete(numbers)) else { throw error }
            do { try ByteArgument.refuseOthers(numbers) } catch _ { throw error }
            return command
        }
    }

    /// Prints `error` and returns the exit code.
    private static func report(_ error: any Error) -> ExitStatus {
        if case .closed = error as? OutputError { return .done }
        if let status = error as? ExitStatus { return status }
        if let failure = Failure(error) {
            failure.report()
            return failure.status
        }
        let isHelp = Cairn.exitCode(for: error) == .success
        let message = Cairn.fullMessage(for: error)
        OutputWriter.finish(with: (ShellMode.current == nil ? message : ShellMessage.text(message)) + "\n", on: isHelp ? .output : .error)
        let isOdd = message.contains(/^Error: (Missing expected argument|Unknown option)/)
        if isOdd, RawArguments.texts.contains(where: { $0.contains(/^-[^-]/) && !["-c", "-h"].contains($0) }) {
            Failure.hint("Write '--' before arguments that begin with '-', and options before that.")
        }
        return isHelp ? .done : .usage
    }
}
