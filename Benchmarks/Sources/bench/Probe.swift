import ArgumentParser
import BenchKit

/// What runs in a process of its own, started by this program.
struct Probe: ParsableCommand {
    static let configuration = CommandConfiguration(shouldDisplay: false)

    @Argument var name: String
    @Argument var arguments: [String] = []

    func run() throws {
        for suite in Suites.usual where try suite.probe(name, arguments) { return }
        throw ValidationError("there is no probe \(name)")
    }
}
