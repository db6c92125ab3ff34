import CairnToolKit
import CairnTour

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The tour by itself, for `make run`. Unlike the complete tool, it needs neither ArgumentParser nor swift-crypto.
@main
enum Main {
    private static let usage = """
        Usage: cairn-tour [FILE]

        Demonstrates the stores with real data: the records of FILE (JSON Lines, CSV, TSV or Debian control), or data from this machine.

        """

    static func main() {
        OutputWriter.ignoreSignals()
        let arguments = RawArguments.texts.dropFirst()
        if arguments.contains("--help") || arguments.contains("-h") { return OutputWriter.finish(with: usage, on: .output) }
        do {
            if let option = arguments.first(where: { $0.hasPrefix("-") && $0 != "-" }) {
                throw Failure(.usage, "Unknown option '\(option)'.")
            }
            guard arguments.count <= 1 else { throw Failure(.usage, "Only one file can be given.") }
            try Tour(file: arguments.first).run()
        } catch OutputError.closed {
            // The reader has seen enough.
        } catch {
            let failure = Failure(general: error) ?? Failure(.database, "\(error)".asSentence)
            failure.report()
            if failure.status == .usage { OutputWriter.finish(with: usage, on: .error) }
            exit(failure.status.rawValue)
        }
    }
}
