import ArgumentParser
import CairnRocksGraph
import CairnToolKit

extension Objects {
    struct Verify: VerifyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read everything and check that it is consistent.",
            discussion: """
                Checks pages, records, back references, both sides of relationships, and names. Index entries are only counted: what they must \
                contain is known only to programs with the classes. Exits with 1 if anything is damaged.

                Changes nothing, except with --repair, which fixes what can be derived from the objects: back references, row counters, and \
                unused large records. No other program may have the store open while it is repaired.
                """,
            aliases: ["check"]
        )

        @OptionGroup var store: ObjectsArguments
        @Flag(help: "Repair what can be repaired, and verify again.") var repair = false
        @Flag(help: "Print a JSON object.") var json = false

        func verify(_ progress: Progress) throws -> VerifyReport {
            let show: (Double) -> Void = { progress.show(step: "\(Int($0 * 100)) %") }
            guard repair else { return report(try store.reading { try $0.verify(progress: show) }) }
            return try store.writing { store in
                let before = try store.repair(progress: show)
                let after = try store.verify(progress: show)
                var report = report(after)
                let repaired = before.problemCount - after.problemCount
                report.notes.insert("\(Numbers.counted(repaired, "problem was", "problems were")) repaired", at: 0)
                report.details.insert(("repaired", .int(Int64(repaired))), at: 0)
                return report
            }
        }

        /// What `--repair` fixes without the classes.
        static let repairable: Set<ObjectStoreVerification.Problem.Kind> = [
            .missingBackReference, .surplusBackReference, .looseLargeRecord, .looseChunk, .rowBeyondLast,
        ]

        private func report(_ found: ObjectStoreVerification) -> VerifyReport {
            var report = VerifyReport(path: store.path)
            report.damage = found.problems.map { Damage($0, path: store.path) }
            report.problemCount = found.problemCount
            report.counts = [
                (found.classes.reduce(0) { $0 + $1.objectCount }, "object", "objects"),
                (found.referenceCount, "reference", "references"), (found.nameCount, "name", "names"),
            ]
            report.notes = Self.notes(found)
            if !found.classes.isEmpty { report.table = Self.table(found.classes) }
            report.details = Self.details(found)
            let canRepair = !repair && !Self.repairable.isDisjoint(with: found.problemCounts.keys)
            report.hint =
                canRepair ? "--repair fixes some of it." : "'cairn objects export' saves what can still be read."
            return report
        }

        private static func notes(_ found: ObjectStoreVerification) -> [String] {
            var notes: [String] = []
            for (kind, count) in found.problemCounts.sorted(by: { "\($0.key)" < "\($1.key)" })
            where count > ObjectStoreVerification.listedCount {
                notes.append(
                    "\(kind): \(Numbers.grouped(count)) problems; \(Numbers.grouped(ObjectStoreVerification.listedCount)) of them are listed"
                )
            }
            for name in found.namesOfNothing { notes.append("the name '\(name)' refers to a deleted object") }
            if found.formerIndexEntryCount > 0 {
                notes.append("\(Numbers.counted(found.formerIndexEntryCount, "entry", "entries")) of removed indexes")
            }
            let shredded = found.classes.reduce(0) { $0 + $1.shreddedCount }
            if shredded > 0 { notes.append("\(Numbers.counted(shredded, "object is", "objects are")) shredded") }
            return notes
        }

        private static func table(_ classes: [ObjectStoreVerification.ClassCounts]) -> TextTable {
            var table = TextTable(["class", "objects", "damaged", "index entries"], [.left, .right, .right, .right])
            for stored in classes {
                table.append([
                    EscapedText.string(Array(stored.name.utf8)), Numbers.grouped(stored.objectCount), Numbers.grouped(stored.damagedCount),
                    Numbers.grouped(stored.indexEntryCount),
                ])
            }
            return table
        }

        private static func details(_ found: ObjectStoreVerification) -> [(name: String, value: JSONValue)] {
            let classes = found.classes.map { stored in
                JSONValue.object([
                    ("class", .string(stored.name)), ("objects", .int(Int64(stored.objectCount))),
                    ("damaged", .int(Int64(stored.damagedCount))), ("shredded", .int(Int64(stored.shreddedCount))),
                    ("index_entries", .int(Int64(stored.indexEntryCount))),
                ])
            }
            let counts = found.problemCounts.map { ("\($0.key)", JSONValue.int(Int64($0.value))) }.sorted { $0.0 < $1.0 }
            return [
                ("classes", .array(classes)), ("references", .int(Int64(found.referenceCount))), ("names", .int(Int64(found.nameCount))),
                ("names_of_nothing", .array(found.namesOfNothing.map { .string($0) })),
                ("former_index_entries", .int(Int64(found.formerIndexEntryCount))), ("problem_counts", .object(counts)),
            ]
        }
    }
}

extension ObjectStoreVerification {
    var problemCount: Int { problemCounts.values.reduce(0, +) }
}

extension Damage {
    init(_ problem: ObjectStoreVerification.Problem, path: String) {
        let object = problem.object.map { "\(problem.className ?? "object") \($0.row)" } ?? problem.className
        let property = problem.property.map { object == nil ? $0 : ".\($0)" } ?? ""
        self.init(
            what: problem.reason,
            place: object == nil && property.isEmpty ? path : (object ?? "") + property,
            details: [
                ("kind", .string("\(problem.kind)")), ("class", problem.className.map { .string($0) } ?? .null),
                ("object", problem.object.map { .string("\($0)") } ?? .null),
                ("property", problem.property.map { .string($0) } ?? .null),
                ("target", problem.target.map { .string("\($0)") } ?? .null),
            ]
        )
    }
}
