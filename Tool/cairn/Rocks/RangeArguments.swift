import ArgumentParser
import CairnRocks

/// The range of keys for a command.
struct RangeArguments: ParsableArguments {
    @Option(help: ArgumentHelp("Only keys that begin with these bytes.", valueName: "bytes"))
    var prefix: String?

    @Option(help: ArgumentHelp("Start at this key.", valueName: "key"))
    var from: String?

    @Option(help: ArgumentHelp("Stop before this key.", valueName: "key"))
    var to: String?

    func validate() throws {
        if prefix != nil && (from != nil || to != nil) {
            throw ValidationError("--prefix cannot be combined with --from and --to.")
        }
    }

    func range(_ hex: HexArguments, isReversed: Bool = false) throws -> ScanRange {
        let prefix = try prefix.map(hex.bytes)
        let from = try from.map(hex.bytes)
        let to = try to.map(hex.bytes)
        let range: ScanRange =
            switch (prefix, from, to) {
            case (let prefix?, _, _): .prefix(prefix)
            case (nil, let from?, let to?): .from(from, to: to)
            case (nil, let from?, nil): .from(from)
            case (nil, nil, let to?): .to(to)
            case (nil, nil, nil): .all
            }
        return isReversed ? range.reversed : range
    }
}
