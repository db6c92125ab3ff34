import CairnCore
import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Foundation
import Testing

@Stored(name: "Song") final class FoundSong {
    @Indexed var artist: String
    @Searchable var title: String
    @Indexed var year: Int
    var rating: Double?
}

@Stored(name: "Unsearched") final class UnsearchedSong {
    var title: String
    var subtitle: String?
    var year: Int
}

@Stored final class Rating {
    var stars: Int
}

/// `cairn objects find`, on stores whose classes it does not have.
struct ObjectsFindTests {
    // Lives as long as the test.
    private let playground: Playground
    private var path: String { playground.path("music") }

    init() throws { playground = try Playground() }

    private func makeStore(_ cipher: ObjectEncryption? = nil) throws {
        var options = ObjectStoreOptions()
        options.cipher = cipher
        let store = try ObjectStore(path: path, classes: [FoundSong.self], options: options)
        try store.write { context in
            context.insert(FoundSong(artist: "Katrina", title: "Walking on Sunshine", year: 1985, rating: 4.5))
            context.insert(FoundSong(artist: "Abba", title: "Waterloo", year: 1974, rating: nil))
            context.insert(FoundSong(artist: "Katrina", title: "Love Shine a Light", year: 1997, rating: 4))
            context.insert(FoundSong(artist: "Abba", title: "Summer Sun", year: 1974, rating: 3))
        }
        try store.close()
    }

    private func titles(_ arguments: String...) throws -> [String] {
        let result = try runTool("cairn", ["objects", "find", path, "Song"] + arguments, stdin: "", environment: [:])
        #expect(result.status == 0 && result.standardError.isEmpty, "\(result)")
        return result.standardOutput.split(separator: "\n").map(String.init)
    }

    @Test func linesAreThoseOfList() throws {
        try makeStore()
        let all = try cairn("objects", "list", path, "Song")
        #expect(try cairn("objects", "find", path, "Song") == all)
        #expect(
            try cairn("objects", "find", path, "Song", "--where", #"artist = "Katrina" and year >= 1985"#)
                == Outcome(
                    """
                    1/1\tartist="Katrina"\ttitle="Walking on Sunshine"\tyear=1985\trating=4.5
                    1/3\tartist="Katrina"\ttitle="Love Shine a Light"\tyear=1997\trating=4.0

                    """
                )
        )
        #expect(
            try cairn("objects", "find", path, "Song", "--where", "year > 1990", "--json")
                == cairn("objects", "list", path, "Song", "--from", "3", "--limit", "1", "--json")
        )
    }

    @Test func conditionsSearchesAndOrders() throws {
        try makeStore()
        #expect(try titles("--where", "rating is nil", "--property", "title") == ["1/2\ttitle=\"Waterloo\""])
        #expect(try titles("--where", "not (year < 1990 or rating is nil)", "--property", "year") == ["1/3\tyear=1997"])
        #expect(
            try titles("--sort", "year,-title", "--property", "title")
                == [
                    "1/2\ttitle=\"Waterloo\"", "1/4\ttitle=\"Summer Sun\"", "1/1\ttitle=\"Walking on Sunshine\"",
                    "1/3\ttitle=\"Love Shine a Light\"",
                ]
        )
        #expect(try titles("--sort", "-year", "--limit", "2", "--property", "year") == ["1/3\tyear=1997", "1/1\tyear=1985"])
        #expect(try titles("--sort", "-rating", "--limit", "1", "--offset", "2", "--property", "year") == ["1/4\tyear=1974"])
        #expect(try titles("--offset", "3", "--property", "year") == ["1/4\tyear=1974"])
        #expect(try titles("--search", "[[sun*]]", "--property", "year") == ["1/1\tyear=1985", "1/4\tyear=1974"])
        #expect(try titles("--search", "sun", "--where", "year = 1974", "--property", "year") == ["1/4\tyear=1974"])
        #expect(try titles("--search", "kat", "--in", "artist", "--property", "year") == ["1/1\tyear=1985", "1/3\tyear=1997"])
        #expect(try titles("--where", "year = 1974", "--count") == ["2"])
        #expect(try titles("--where", "rating > 3.5", "--count", "--json") == [#"{"count":2}"#])
    }

    @Test func plansAreExplained() throws {
        try makeStore()
        #expect(
            try titles("--where", #"artist = "Katrina" and rating > 4"#, "--sort", "title", "--limit", "5", "--explain")
                == [
                    #"scan:   index (artist): artist = "Katrina""#, "finds:  2", "asks:   rating > 4",
                    "order:  sorted in memory by title, the first 5 kept",
                ]
        )
        #expect(
            try titles("--search", "[[sun*]]", "--explain")
                == ["scan:   text index (title): [[sun*]]", "finds:  2", "asks:   title matches [[sun*]]", "order:  as inserted"]
        )
        #expect(
            try titles("--where", "rating = 3", "--explain", "--json")
                == [#"{"scan":"all Song","finds":4,"more":false,"asks":"rating = 3","order":"as inserted"}"#]
        )
    }

    @Test func whatIsWrongIsNamed() throws {
        try makeStore()
        func fails(_ arguments: [String], _ error: String, status: Int32 = 2) throws {
            let result = try runTool("cairn", ["objects", "find", path] + arguments, stdin: "", environment: [:])
            #expect(result.standardError.hasPrefix(error) && result.status == status && result.standardOutput.isEmpty, "\(result)")
        }
        try fails(
            ["Song", "--where", "yaer = 1985"],
            "Error: At character 1 of the condition: Song has no property 'yaer'; it has artist, title, year, rating.\n"
        )
        try fails(["Song", "--where", "year = 'x'"], "Error: At character 8 of the condition: the value is not a valid int.\n")
        try fails(
            ["Song", "--where", "artist.name = 'x'"],
            "Error: At character 7 of the condition: a condition cannot test properties of other objects; compare the reference itself, as in 'artist = 1/17'.\n"
        )
        try fails(["Song", "--where", "year = 1985 year"], "Error: At character 13 of the condition: expected 'and' or 'or'.\n")
        try fails(["Song", "--search", "\"sun"], "Error: The query cannot be parsed: ")
        try fails(
            ["Song", "--search", "sun", "--in", "year"],
            "Error: 'year' of Song is not text, so it cannot be searched: its text properties are artist, title.\n"
        )
        try fails(["Song", "--sort", "length"], "Error: Song has no property 'length'; it has artist, title, year, rating.\n")
        try fails(
            ["Song", "--where", "year = 1e3"],
            "Error: At character 8 of the condition: the value is not a valid int: integers have digits only.\n"
        )
        try fails(["Song", "--where", "rating = x"], "Error: At character 10 of the condition: the value is not a valid double.\n")
        try fails(["Sing"], "Error: The store has no class 'Sing'.\n", status: 3)
        try fails(["Song", "--property", "length"], "Error: Song has no property 'length'.\n")
        for arguments in [
            ["--limit", "-1"], ["--sort", ""], ["--sort", "year,"], ["--sort", "-"], ["--offset", "-1"], ["--in", "title"],
            ["--count", "--limit", "1"], ["--count", "--explain"],
        ] {
            try fails(["Song"] + arguments, "Error: --")
        }
    }

    @Test func equalSignsQuotationMarksAndLimitsOfNothing() throws {
        try makeStore()
        for condition in ["year == 1985", "year = \"1985\"", "rating == '4.5'"] {
            let found = try cairn("objects", "find", path, "Song", "--where", condition, "--property", "year")
            #expect(found == Outcome("1/1\tyear=1985\n"), "\(condition): \(found)")
        }
        #expect(try titles("--limit", "0").isEmpty)
        #expect(try titles("--sort", "year", "--limit", "0").isEmpty)
        #expect(try cairn("objects", "list", path, "Song", "--limit", "0") == Outcome())
    }

    @Test func aSearchWithoutATextIndexNamesTheTexts() throws {
        let store = try ObjectStore(path: path, classes: [UnsearchedSong.self, Rating.self])
        try store.write { context in context.insert(UnsearchedSong(title: "Summer Sun", subtitle: nil, year: 1974)) }
        try store.close()
        #expect(
            try cairn("objects", "find", path, "Unsearched", "--search", "sun")
                == Outcome(
                    error: """
                        Error: Unsearched has no text index, so the properties to search must be named: its text properties are title, subtitle.
                        Hint: --in names a property to search.

                        """,
                    status: 2
                )
        )
        #expect(try cairn("objects", "find", path, "Unsearched", "--search", "sun", "--in", "title", "--count").output == "1\n")
        let none = try cairn("objects", "find", path, "Rating", "--search", "sun")
        #expect(none.error.hasPrefix("Error: Rating has no text index, so the properties to search must be named: no property is text.\n"))
    }

    /// Not rows that were once assigned.
    @Test func explanationsCountObjects() throws {
        try makeStore()
        let store = try ObjectStore(path: path, classes: [FoundSong.self])
        try store.write { context in
            for number in 0..<1100 { context.insert(FoundSong(artist: "Many", title: "\(number)", year: 2000, rating: nil)) }
        }
        #expect(try titles("--explain")[1] == "finds:  1000 or more")
        try store.write { context in _ = try context.delete(FoundSong.self, where: \.year == 2000) }
        try store.close()
        #expect(try titles("--explain") == ["scan:   all Song", "finds:  4", "order:  as inserted"])
    }

    /// They know equality only, and what they find is tested again.
    @Test func encryptedIndexesAreUsed() throws {
        try makeStore(try ObjectEncryption(passphrase: "correct horse", cost: #require(ScryptCost(stored: 4))))
        let key = try playground.file("passphrase", "correct horse\n")
        #expect(
            try titles("--where", #"artist = "Katrina""#, "--explain", "--passphrase-file", key)
                == [#"scan:   index (artist): artist = "Katrina""#, "finds:  2", #"asks:   artist = "Katrina""#, "order:  as inserted"]
        )
        #expect(
            try titles("--where", #"artist = "Katrina""#, "--property", "year", "--passphrase-file", key) == [
                "1/1\tyear=1985", "1/3\tyear=1997",
            ]
        )
        #expect(
            try titles("--where", "year < 1980", "--explain", "--passphrase-file", key)[0]
                == "scan:   all Song, since the index (year) is encrypted and supports only equality"
        )
        #expect(try titles("--where", "year < 1980", "--count", "--passphrase-file", key) == ["2"])
        #expect(try titles("--search", "sun", "--property", "year", "--passphrase-file", key) == ["1/1\tyear=1985", "1/4\tyear=1974"])
    }

    /// Only programs know how to fill it.
    @Test func anImportLeavesTextIndexesIncompleteAndSaysSo() throws {
        try makeStore()
        let row = #"{"artist":"Abba","title":"Our Last Summer","year":1980,"rating":4}"# + "\n"
        let imported = try cairn("objects", "import", path, "-", "--class", "Song", "--format", "jsonl", stdin: row)
        let note = "The full-text index on Song.title is incomplete. Searches read all objects until a program calls buildIndexes().\n"
        #expect(imported.status == 0 && imported.output.hasPrefix("Stored ") && imported.output.contains("\n" + note), "\(imported)")
    }

    @Test func damagedObjectsAreReported() throws {
        try makeStore()
        let store = try ObjectStore(path: path, classes: [FoundSong.self])
        try store.write { context in
            for number in 0..<60 { context.insert(FoundSong(artist: "Many", title: "\(number)", year: number, rating: nil)) }
        }
        try store.close()
        let engine = try RocksEngine(path: path)
        var commit = EngineCommit()
        commit.put([9] as [UInt8], for: [1, 0, 1, 0, 0, 0, 0, 0, 0] as [UInt8])
        try engine.commit(commit)
        try engine.close()
        for order in [[], ["--sort", "year"]] {
            let found = try runTool(
                "cairn",
                ["objects", "find", path, "Song", "--where", "rating is nil and title > \"58\"", "--property", "year"] + order,
                stdin: "",
                environment: [:]
            )
            #expect(found.status == 1 && found.standardOutput == "1/64\tyear=59\n", "\(found)")
            #expect(found.standardError.hasPrefix("Error: The page with Song ") && found.standardError.contains("'cairn objects verify'"))
        }
        let byIndex = try runTool("cairn", ["objects", "find", path, "Song", "--where", "year = 1985"], stdin: "", environment: [:])
        #expect(byIndex.status == 1 && byIndex.standardOutput.isEmpty && byIndex.standardError.hasPrefix("Error: The page with Song 1 is"))
        #expect(try titles("--where", "year = 59", "--property", "title") == ["1/64\ttitle=\"59\""])
        let count = try cairn("objects", "find", path, "Song", "--where", "rating is nil", "--count")
        #expect(count.status == 1 && count.output == "33\n", "\(count)")
    }
}
