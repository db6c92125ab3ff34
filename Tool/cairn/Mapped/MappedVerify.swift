import ArgumentParser
import CairnMapped
import CairnToolKit

extension Damage {
    /// What is damaged in a mapped store.
    static func all(_ report: MappedOpenReport?, _ found: MappedVerification?) -> [Damage] {
        var damage = (found?.damagedKeys ?? []).map { key in
            Damage(what: "the value of key '\(key)' does not match its checksum", place: "key '\(key)'")
        }
        if let count = found?.unreadableCount, count > 0 {
            let what = Numbers.counted(count, "value is damaged along with its key", "values are damaged along with their keys")
            damage.append(Damage(what: what, place: "values"))
        }
        if found?.indexIsIntact == false {
            damage.append(Damage(what: "the index is wrong; opening the store for writing rebuilds it", place: "index"))
        }
        if report?.headerWasDamaged == true {
            damage.append(Damage(what: "one copy of the header is damaged; the other one was used", place: "header"))
        }
        for range in report?.damagedRanges ?? [] {
            let place = "bytes \(range.lowerBound) to \(range.upperBound - 1)"
            damage.append(Damage(what: "\(place) contain no complete value", place: place))
        }
        if let range = report?.missingRange ?? found?.missingRange {
            let place = "bytes \(range.lowerBound) to \(range.upperBound - 1)"
            damage.append(Damage(what: "\(place) are missing: the file was truncated, or copied incompletely", place: place))
        }
        return damage
    }
}

extension Mapped {
    struct Verify: VerifyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read everything and compare it with its checksums.",
            discussion: """
                Exits with 1 if anything is damaged. Changes nothing. Damaged values can be set again or removed; all other values are unaffected.
                """,
            aliases: ["check"]
        )

        @OptionGroup var store: MappedArguments
        @Flag(help: "Print a JSON object.") var json = false

        func verify(_ progress: Progress) throws -> VerifyReport {
            var report = VerifyReport(path: store.path)
            var opened: MappedOpenReport?
            var found: MappedVerification?
            do {
                let store = try store.openForReading()
                opened = store.openReport
                found = try store.verify { progress.show(step: "\(Int($0 * 100)) %") }
            } catch let error as MappedStoreError where error.code == .corruption || error.code == .truncated {
                report.damage.append(Damage(what: error.message, place: store.path))
            }
            report.damage += Damage.all(opened, found)
            let count = found?.intactCount ?? 0
            report.counts = [(count, "value", "values")]
            report.details = [("values", .int(Int64(count)))]
            report.hint =
                opened == nil ? "It cannot be opened; restore it from a backup." : "'cairn mapped export' saves what can still be read."
            return report
        }
    }
}
