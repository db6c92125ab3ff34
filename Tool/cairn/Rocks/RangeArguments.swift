import ArgumentParser
import CairnRocks
import CairnToolKit

/// The range of keys for a command.
struct RangeArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only keys that begin with this: bytes or, of compound keys, the first elements.", valueName: "prefix")
    )
    var prefix: ByteArgument?

    @Option(parsing: .unconditional, help: ArgumentHelp("Start at this key.", valueName: "key"))
    var from: ByteArgument?

    @Option(parsing: .unconditional, help: ArgumentHelp("Stop before this key.", valueName: "key"))
    var to: ByteArgument?

    func validate() throws {
        if prefix != nil && (from != nil || to != nil) {
            throw ValidationError("--prefix cannot be combined with --from and --to.")
        }
    }

    func range(_ form: EntryForm, isReversed: Bool = false) throws -> ScanRange {
        let prefix = try prefix.map(form.prefix)
        let from = try from.map(form.bound)
        let to = try to.map(form.bound)
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

    /// Refuses bounds in the wrong order before all of these column families are gone through, unless there is something between them in one of them: their
    /// orders can differ.
    func refuseReversed(_ families: [(family: ColumnFamily, form: EntryForm)]) throws {
        do {
            for (family, form) in families { try family.reading { try explainNothing(in: family, form, isReversed: nil) } }
        } catch let failure as Failure where failure.status == .usage {
            for (family, form) in families {
                var cursor = try family.makeCursor(range(form), options: .scan)
                if try cursor.nextKey() != nil { return }
            }
            throw failure
        }
    }

    /// Says why nothing was found if the bounds are in the wrong order, which is the column family's: then there are keys between them the other way
    /// around.
    ///
    /// - Parameter isReversed: `nil` for a command that cannot be.
    func explainNothing(in family: ColumnFamily, _ form: EntryForm, isReversed: Bool?) throws {
        guard let from, let to, from.bytes != to.bytes else { return }
        let swapped = ScanRange.from(try form.bound(to), to: try form.bound(from))
        var cursor = try family.makeCursor(isReversed == true ? swapped.reversed : swapped, options: .scan)
        guard try cursor.nextKey() != nil else { return }
        let other = "; or use --reverse, which scans from the larger bound to the smaller"
        throw Failure(
            .usage,
            "No key lies between '\(from)' and '\(to)' in this order.",
            hint: "Swap --from and --to\(isReversed == false ? other : "")."
        )
    }
}
