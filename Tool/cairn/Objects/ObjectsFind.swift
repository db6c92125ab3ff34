import ArgumentParser
import CairnRocksGraph
import CairnToolKit

extension Objects {
    struct Find: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the objects of a class that meet a condition.",
            discussion: """
                Prints lines as 'list' does. Uses the store's indexes and text indexes, as programs do; --explain shows how.

                  cairn objects find Music.store Song --where 'artist = "Katrina" and year >= 1985'
                  cairn objects find Music.store Song --search '[[sun*]]' --sort year,-title --limit 10

                A condition compares properties with values:

                  year = 1985             or ==; also with !=, <, <=, > and >=
                  year in (1985, 1986)    one of several values
                  rating is nil           no value or object; 'is not nil' any other
                  title contains 'sun'    also 'begins with' and 'ends with'
                  tags contains 'pop'     lists and sets of values
                  songs contains '1/17'   lists, sets and dictionaries of objects
                  album = '2/7'           a reference to an object: class number and row

                'not', 'and', 'or' and parentheses combine conditions; 'not' binds most tightly, 'or' least. 'not' can also be written before 'in', \
                'contains', 'begins' and 'ends', and after 'is'. Text, dates, UUIDs and bytes are in quotation marks, double or single, with \
                \\", \\n, \\u{e9} as in Swift; dates are ISO 8601 or a day, such as "2026-01-31". A property whose name is a keyword or not \
                a word is in backquotes.

                Text compares by its Unicode scalars, so case matters. nil is equal to nil, and neither less nor greater than any value. \
                Enumerations are compared with =, != and 'in' only, with their raw values. If an object was saved before its class had a \
                property, its value counts as nil.

                --search takes the language of full-text search: words or parts of words, "exact text", [[whole words]], [[beginnings*]], \
                'a || b', 'a !! b'.
                """
        )

        @OptionGroup var store: ObjectsArguments
        @Argument(help: "The class.") var className: String
        @Option(name: .customLong("where"), help: "The condition. (default: all objects)") var condition: String?
        @Option(parsing: .unconditional, help: "A full-text query that the objects must match.") var search: String?
        @Option(
            name: .customLong("in"),
            help: ArgumentHelp("A property to search. Can be repeated. (default: those with a text index)", valueName: "property")
        )
        var searched: [String] = []
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "Properties to sort by, separated by commas; '-' before one is descending. (default: as inserted)",
                valueName: "properties"
            )
        )
        var sort: String?
        @Option(parsing: .unconditional, help: "Print at most this many objects.") var limit: Int?
        @Option(parsing: .unconditional, help: "Skip this many objects first.") var offset = 0
        @Flag(help: "Print the number of objects only.") var count = false
        @Flag(help: "Print how the objects would be found, instead of them.") var explain = false
        @OptionGroup var lines: ObjectLines

        func validate() throws {
            if let limit, limit < 0 { throw ValidationError("--limit cannot be negative.") }
            if offset < 0 { throw ValidationError("--offset cannot be negative.") }
            if let sort, sort.split(separator: ",", omittingEmptySubsequences: false).contains(where: { ["", "-"].contains($0) }) {
                throw ValidationError("--sort takes properties separated by commas, '-' before one for descending order.")
            }
            if search == nil, !searched.isEmpty { throw ValidationError("--in is for --search.") }
            if count, limit != nil || offset != 0 || sort != nil { throw ValidationError("--count counts all objects, in no order.") }
            if count, explain { throw ValidationError("--count and --explain cannot be combined.") }
        }

        func run() throws {
            do { try find() } catch let error as ObjectStoreError where error.code == .invalidPredicate && search != nil && searched.isEmpty
            {
                throw Failure(.usage, error.sentence, hint: "--in names a property to search.")
            }
        }

        private func find() throws {
            try store.reading { store in
                let stored = try store.classNamed(className)
                try lines.check(stored)
                var damage = DamageNotes()
                try printing { output in
                    try store.inspect { inspector in
                        if explain { return try write(try inspector.explain(query, in: stored), output) }
                        if count {
                            let count = try inspector.count(query, in: stored) { damage.note($0) }
                            return try lines.json ? output.write(.object([("count", .int(Int64(count)))])) : output.writeLine("\(count)")
                        }
                        try inspector.find(query, in: stored) { result in
                            if let object = damage.object(result) { try lines.write(object, stored, output) }
                            return true
                        }
                    }
                }
                try damage.finish(store: self.store.path)
            }
        }

        private var query: StoreInspector.Query {
            var query = StoreInspector.Query(where: condition, search: search)
            query.searchedProperties = searched
            query.sorts = (sort?.split(separator: ",") ?? []).map { name in
                let isDescending = name.hasPrefix("-")
                return StoreInspector.Sort(String(isDescending ? name.dropFirst() : name), isDescending: isDescending)
            }
            query.limit = limit
            query.offset = offset
            return query
        }

        private func write(_ explanation: QueryExplanation, _ output: OutputWriter) throws {
            guard lines.json else { return try output.writeLine("\(explanation)") }
            try output.write(
                .object([
                    ("scan", .string(explanation.access)), ("finds", .int(Int64(explanation.examined))),
                    ("more", .bool(explanation.isMore)),
                    ("asks", explanation.filter.map { .string($0) } ?? .null), ("order", .string(explanation.order)),
                ])
            )
        }
    }
}
