import ArgumentParser
import CairnRocksGraph
import CairnToolKit

extension Objects {
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read everything, and check that it belongs together.",
            discussion: """
                Pages and records, what leads to what, both sides of relationships, names. The entries of indexes are only counted: what they must \
                be, programs know that have the classes. Damage is exit code 1. Nothing is changed, unless --repair mends what follows from the \
                objects: the notes of what leads to what, rows that were given out, large records that nobody needs. A program that has the \
                store open must end before.
                """
        )

        @OptionGroup var store: ObjectsArguments
        @Flag(help: "Mend what can be mended, and check again.") var repair = false
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            let progress = Progress(total: nil)
            let show: (Double) -> Void = { progress.show(step: "\(Int($0 * 100)) %") }
            var repaired = 0
            let report: ObjectStoreVerification
            if repair {
                report = try store.writing { store in
                    let before = try store.repair(progress: show)
                    let after = try store.verify(progress: show)
                    repaired = before.problemCounts.values.reduce(0, +) - after.problemCounts.values.reduce(0, +)
                    return after
                }
            } else {
                report = try store.reading { try $0.verify(progress: show) }
            }
            progress.finish()
            try printing { output in
                if json {
                    try output.write(Self.json(report, repaired: repair ? repaired : nil))
                } else {
                    try write(report, repaired, output)
                }
            }
            guard report.isIntact else {
                throw Failure(.no, "'\(store.path)' is damaged.", hint: hint(report))
            }
        }

        /// What `--repair` mends without the classes.
        static let mendable: Set<ObjectStoreVerification.Problem.Kind> = [
            .missingBackReference, .surplusBackReference, .looseLargeRecord, .looseChunk, .rowBeyondLast,
        ]

        private func hint(_ report: ObjectStoreVerification) -> String {
            report.problemCounts.keys.contains(where: Self.mendable.contains) && !repair
                ? "--repair mends part of it." : "'cairn objects export' saves what can still be read."
        }

        private func write(_ report: ObjectStoreVerification, _ repaired: Int, _ output: OutputWriter) throws {
            if repaired > 0 { try output.writeLine("Repaired \(Numbers.counted(repaired, "problem", "problems")).") }
            for problem in report.problems { try output.writeLine("\(problem.kind): \(EscapedText.string(Array(problem.reason.utf8)))") }
            for (kind, count) in report.problemCounts.sorted(by: { "\($0.key)" < "\($1.key)" })
            where count > ObjectStoreVerification.listedCount {
                try output.writeLine("\(kind): \(Numbers.grouped(count)) in all")
            }
            for name in report.namesOfNothing {
                try output.writeLine("note: the name '\(EscapedText.string(Array(name.utf8)))' leads to nothing any more")
            }
            if report.formerIndexEntryCount > 0 {
                try output.writeLine(
                    "note: \(Numbers.counted(report.formerIndexEntryCount, "entry", "entries")) of indexes that are no more"
                )
            }
            let shredded = report.classes.reduce(0) { $0 + $1.shreddedCount }
            if shredded > 0 { try output.writeLine("note: \(Numbers.counted(shredded, "object was", "objects were")) shredded") }
            var table = TextTable(["class", "objects", "damaged", "index entries"], [.left, .right, .right, .right])
            for stored in report.classes {
                table.append([
                    EscapedText.string(Array(stored.name.utf8)), Numbers.grouped(stored.objectCount), Numbers.grouped(stored.damagedCount),
                    Numbers.grouped(stored.indexEntryCount),
                ])
            }
            if !report.classes.isEmpty { try output.write(table) }
            let references = Numbers.counted(report.referenceCount, "reference", "references")
            let names = Numbers.counted(report.nameCount, "name", "names")
            try output.writeLine("\(references), \(names)\(report.isIntact ? ", no damage" : "").")
        }

        private static func json(_ report: ObjectStoreVerification, repaired: Int?) -> JSONValue {
            var fields: [(String, JSONValue)] = [("ok", .bool(report.isIntact))]
            if let repaired { fields.append(("repaired", .int(Int64(repaired)))) }
            let classes = report.classes.map { stored in
                JSONValue.object([
                    ("class", .string(stored.name)), ("objects", .int(Int64(stored.objectCount))),
                    ("damaged", .int(Int64(stored.damagedCount))), ("shredded", .int(Int64(stored.shreddedCount))),
                    ("index_entries", .int(Int64(stored.indexEntryCount))),
                ])
            }
            let problems = report.problems.map { problem in
                JSONValue.object([
                    ("kind", .string("\(problem.kind)")), ("class", problem.className.map { .string($0) } ?? .null),
                    ("object", problem.object.map { .string("\($0)") } ?? .null),
                    ("property", problem.property.map { .string($0) } ?? .null),
                    ("target", problem.target.map { .string("\($0)") } ?? .null), ("reason", .string(problem.reason)),
                ])
            }
            let counts = report.problemCounts.map { ("\($0.key)", JSONValue.int(Int64($0.value))) }.sorted { $0.0 < $1.0 }
            fields += [
                ("classes", .array(classes)), ("references", .int(Int64(report.referenceCount))), ("names", .int(Int64(report.nameCount))),
                ("names_of_nothing", .array(report.namesOfNothing.map { .string($0) })),
                ("former_index_entries", .int(Int64(report.formerIndexEntryCount))), ("problem_counts", .object(counts)),
                ("problems", .array(problems)),
            ]
            return .object(fields)
        }
    }
}
