import ArgumentParser
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Count: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Count entries one by one.",
            discussion: "Counts all entries, or those in a range. 'stats' shows RocksDB's estimate, which takes no time."
        )

        @OptionGroup var store: StoreArguments
        @OptionGroup var range: RangeArguments
        @OptionGroup var form: KeyForm
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            let form = form.form(of: store.columnFamily, form.remembered(in: store.database.path))
            let range = try range.range(form)
            try store.reading { family in
                let count = try family.count(range, options: .scan)
                if count == 0 { try self.range.explainNothing(in: family, form, isReversed: nil) }
                try printing { output in
                    if json { try output.write(.object([("count", .int(Int64(count)))])) } else { try output.writeLine(String(count)) }
                }
            }
        }
    }
}
