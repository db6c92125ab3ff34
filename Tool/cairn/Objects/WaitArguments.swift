import ArgumentParser
import CairnToolKit

/// How long to wait for other processes that use a store.
struct WaitArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long to wait while another process has an SQLite file locked. (default: 5)",
            valueName: "seconds"
        )
    )
    var busyTimeout: Double?

    private static let longest = 86_400.0

    func validate() throws {
        guard let busyTimeout, !(0...Self.longest).contains(busyTimeout) else { return }
        throw ValidationError("--busy-timeout takes seconds, from 0 to \(Int(Self.longest)).")
    }

    /// The place, with this wait.
    func applied(to place: StoreLocation) throws -> StoreLocation { try applied(to: place, place).0 }

    /// The places of a move; one of them must be a file of SQLite if a wait was given.
    func applied(to one: StoreLocation, _ other: StoreLocation) throws -> (StoreLocation, StoreLocation) {
        guard let busyTimeout else { return (one, other) }
        let waiting = (one.waiting(.seconds(busyTimeout)), other.waiting(.seconds(busyTimeout)))
        guard waiting.0 != nil || waiting.1 != nil else {
            throw Failure(
                .usage,
                "--busy-timeout is for stores in SQLite files.",
                hint: "The place of such a store that does not exist yet is sqlite:PATH."
            )
        }
        return (waiting.0 ?? one, waiting.1 ?? other)
    }
}
