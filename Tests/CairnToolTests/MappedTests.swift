import CairnCDB
import CairnCore
import CairnMapped
import CairnTestSupport
import Foundation
import Testing

/// `cairn mapped`, as a user sees it.
struct MappedTests {
    // Lives as long as the test.
    private let playground: Playground
    private var path: String { playground.path("settings.map") }

    init() throws { playground = try Playground() }

    /// Makes a store of these and returns its path.
    @discardableResult
    private func store(_ entries: KeyValuePairs<String, MappedVariant> = ["launches": .int(3), "name": .string("a\tb"), "on": .bool(true)])
        throws -> String
    {
        let store = try MappedStore(path: path)
        for (key, value) in entries { try store.set(value, for: key) }
        try store.close()
        return path
    }

    private func damage(_ text: String) throws {
        var bytes = try #require(FileManager.default.contents(atPath: path))
        let place = try #require(bytes.range(of: Data(text.utf8)))
        bytes[place.lowerBound] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    // MARK: Values

    @Test func setAndGetWithGuessedTypes() throws {
        let missing =
            "Error: There is no mapped store at '\(path)'.\nHint: Check the path; 'set' and 'import' create a store with --create.\n"
        #expect(try cairn("mapped", "set", path, "a", "1") == Outcome(error: missing, status: 3))
        #expect(!FileManager.default.fileExists(atPath: path))
        let guesses: [(text: String, type: String, printed: String)] = [
            ("3", "int", "3"), ("-170141183460469231731687303715884105728", "int", "-170141183460469231731687303715884105728"),
            ("1.50", "double", "1.5"),
            ("1e3", "double", "1000.0"), ("true", "bool", "true"), ("007", "string", "007"), ("+1", "string", "+1"), ("", "string", ""),
            ("inf", "string", "inf"), ("Köln", "string", "Köln"), ("0e5", "double", "0.0"), ("-0", "string", "-0"),
            // What does not fit is not rounded.
            ("340282366920938463463374607431768211455", "int", "340282366920938463463374607431768211455"),
            ("340282366920938463463374607431768211456", "string", "340282366920938463463374607431768211456"),
            ("-170141183460469231731687303715884105729", "string", "-170141183460469231731687303715884105729"),
            ("1e400", "string", "1e400"), ("-1e-400", "string", "-1e-400"),
        ]
        for (text, type, printed) in guesses {
            #expect(try cairn("mapped", "set", path, "key", "--create", "--", text) == Outcome())
            #expect(try cairn("mapped", "get", path, "key") == Outcome(printed))
            let json = try cairn("mapped", "get", path, "key", "--json").output
            #expect(json.hasPrefix("{\"key\":\"key\",\"type\":\"\(type)\",\"value\":"), "\(json)")
        }
    }

    @Test func setWithTypes() throws {
        try store([:])
        let values: [(type: String, text: String, printed: String, json: String)] = [
            ("string", "3", "3", "\"3\""), ("float", "0.1", "0.1", "0.1"), ("double", "nan", "nan", "\"nan\""),
            ("double", "infinity", "inf", "\"inf\""), ("float", "0e9", "0.0", "0.0"), ("int", "0170", "170", "170"),
            ("date", "2026-03-01T12:30:00Z", "2026-03-01T12:30:00Z", "\"2026-03-01T12:30:00Z\""),
            ("date", "2026-01-31T12:00:00.255Z", "2026-01-31T12:00:00.255Z", "\"2026-01-31T12:00:00.255Z\""),
            ("date", "2024-02-29", "2024-02-29T00:00:00Z", "\"2024-02-29T00:00:00Z\""),
            (
                "uuid", "9E107D9D-372B-46D1-A0F4-0A0B0C0D0E0F", "9E107D9D-372B-46D1-A0F4-0A0B0C0D0E0F",
                "\"9E107D9D-372B-46D1-A0F4-0A0B0C0D0E0F\""
            ),
            ("url", "https://example.org/a?b", "https://example.org/a?b", "\"https://example.org/a?b\""),
            ("json", "{\"a\":[1]}", "{\"a\":[1]}", "{\"a\":[1]}"),
        ]
        for (type, text, printed, json) in values {
            #expect(try cairn("mapped", "set", path, "k", text, "--type", type, "--sync") == Outcome())
            #expect(try cairn("mapped", "get", path, "k") == Outcome(printed))
            #expect(try cairn("mapped", "get", path, "k", "--json") == Outcome("{\"key\":\"k\",\"type\":\"\(type)\",\"value\":\(json)}\n"))
        }
        #expect(try cairn("mapped", "set", path, "k", "00ff", "--hex") == Outcome())
        #expect(try cairn("mapped", "get", path, "k", "--hex") == Outcome("00ff\n"))
        #expect(try cairn("mapped", "get", path, "k", "--json") == Outcome("{\"key\":\"k\",\"type\":\"bytes\",\"value_hex\":\"00ff\"}\n"))
        #expect(try cairn("mapped", "set", path, "k", stdin: "line\n") == Outcome())
        #expect(try cairn("mapped", "get", path, "k") == Outcome("line\n"))
        for (type, text) in [
            ("int", "x"), ("bool", "yes"), ("date", "yesterday"), ("uuid", "1"), ("double", "1e400"), ("float", "1e39"),
            ("double", "1e-400"), ("float", "0.1e-50"), ("int", "340282366920938463463374607431768211456"),
        ] {
            #expect(
                try cairn("mapped", "set", path, "k", text, "--type", type)
                    == Outcome(
                        error:
                            "Error: '\(text)' is not a valid \(type)\(type == "date" ? ", such as 2026-03-01 or 2026-03-01T12:30:00Z" : "").\n",
                        status: 2
                    )
            )
        }
        let notJSON = Outcome(error: "Error: '{' is not JSON.\n", status: 2)
        #expect(try cairn("mapped", "set", path, "k", "{", "--type", "json") == notJSON)
        #expect(try cairn("mapped", "set", path, "k", "0", "--hex").status == 2)
        #expect(try cairn("mapped", "set", path, "k", "--type", "int", stdin: "x").status == 4)
        #expect(try cairn("mapped", "set", path, "k", "1", "--type", "number").status == 2)
        #expect(try cairn("mapped", "get", path, "k") == Outcome("line\n"))
    }

    @Test func expiryDatesAreThoseOfTheExport() throws {
        #expect(try cairn("mapped", "set", path, "soon", "1", "--expires-after", "2h", "--create") == Outcome())
        let expires = try #require(try cairn("mapped", "list", path).output.dropLast().split(separator: "\t").last)
        #expect(try cairn("mapped", "export", path).output.contains("\"expires\":\"\(expires)\""))
    }

    /// From 2^127 on, integers have a form of their own in the store.
    @Test func theWidestIntegersAreNumbersEverywhere() throws {
        let number = "340282366920938463463374607431768211455"
        #expect(try cairn("mapped", "set", path, "k", number, "--type", "int", "--create") == Outcome())
        #expect(try MappedStore(path: path).get("k", as: UInt128.self) == .max)
        #expect(try cairn("mapped", "list", path) == Outcome("k\tint\t\(number)\n"))
        #expect(try cairn("mapped", "get", path, "k") == Outcome(number))
        #expect(try cairn("mapped", "get", path, "k", "--json") == Outcome(#"{"key":"k","type":"int","value":"\#(number)"}"# + "\n"))
        #expect(try cairn("mapped", "export", path) == Outcome("{\n\"k\":\(number)\n}\n"))
        let copy = playground.path("copy.map"), json = playground.path("k.json")
        #expect(try cairn("mapped", "set", path, "k", number, "--expires-after", "7d") == Outcome())
        let exported = try cairn("mapped", "export", path, json)
        #expect(try exported == Outcome() && String(contentsOfFile: json, encoding: .utf8).contains(#"{"type":"int","value":\#(number),"#))
        #expect(try cairn("mapped", "import", copy, json, "--create").status == 0)
        let both = try (MappedStore(path: path), MappedStore(path: copy))
        #expect(try both.1.get("k", as: UInt128.self) == .max)
        #expect(try both.0.expiry(of: "k") == both.1.expiry(of: "k"))
    }

    @Test func deadlines() throws {
        try store([:])
        let before = Date()
        #expect(try cairn("mapped", "set", path, "soon", "1", "--expires-after", "2h") == Outcome())
        let after = Date()
        let expiry = try #require(try MappedStore(path: path).expiry(of: "soon"))
        // Deadlines are whole milliseconds.
        #expect((before + 7199.99...after + 7200.01).contains(expiry))
        let json = try cairn("mapped", "get", path, "soon", "--json").output
        #expect(json.hasPrefix("{\"key\":\"soon\",\"type\":\"int\",\"value\":1,\"expires\":\"20"), "\(json)")
        for text in ["", "x", "-1", "0", "1w", "9223372036854775807d"] {
            #expect(try cairn("mapped", "set", path, "k", "1", "--expires-after=\(text)").status == 2)
        }
    }

    @Test func missingKeysAndRemoval() throws {
        try store()
        #expect(try cairn("mapped", "get", path, "x") == Outcome(error: "Error: There is no key 'x' in '\(path)'.\n", status: 1))
        #expect(
            try cairn("mapped", "remove", path, "name", "nope", "on")
                == Outcome(error: "Error: There is no key 'nope' in '\(path)'.\n", status: 1)
        )
        #expect(try cairn("mapped", "set", path, "twice", "1") == Outcome())
        for key in ["p/1", "p/2", "p"] { #expect(try cairn("mapped", "set", path, key, "1") == Outcome()) }
        #expect(try cairn("mapped", "remove", path, "--prefix", "p/") == Outcome())
        #expect(try cairn("mapped", "remove", path, "--prefix", "p/") == Outcome())
        #expect(try cairn("mapped", "get", path, "p/1").status == 1 && cairn("mapped", "remove", path, "p") == Outcome())
        #expect(try cairn("mapped", "remove", path).status == 2 && cairn("mapped", "remove", path, "p", "--prefix", "p").status == 2)
        #expect(try cairn("mapped", "remove", path, "twice", "twice") == Outcome())
        #expect(
            try cairn("mapped", "remove", path, "name", "on")
                == Outcome(error: "Error: 2 keys, such as 'name', do not exist in '\(path)'.\n", status: 1)
        )
        #expect(try MappedStore(path: path).keys() == ["launches"])
        let missing = playground.path("missing.map")
        #expect(
            try cairn("mapped", "get", missing, "x")
                == Outcome(error: "Error: There is no mapped store at '\(missing)'.\nHint: Check the path.\n", status: 3)
        )
        let letter = try playground.file("letter", "Dear reader")
        let foreign = try cairn("mapped", "list", letter)
        #expect(foreign.status == 3 && foreign.error.contains("not a mapped store") && foreign.error.contains(letter))
    }

    @Test func list() throws {
        try store()
        #expect(try cairn("mapped", "list", path) == Outcome("launches\tint\t3\nname\tstring\ta\\tb\non\tbool\ttrue\n"))
        #expect(try cairn("mapped", "list", path, "--keys-only", "--prefix", "n") == Outcome("name\n"))
        let store = try MappedStore(path: path)
        try store.set([1, 2], for: "a list")
        try store.set(JSONCoded(["w": 1]), for: "json")
        try store.set(MappedVariant.other(MappedValueType(rawValue: 200), [1, 2]), for: "new")
        try store.set(Date(timeIntervalSince1970: 0.5), for: "then")
        #expect(
            try cairn("mapped", "list", path, "--sort", "--json")
                == Outcome(
                    """
                    {"key":"a list","type":"array","value":[1,2]}
                    {"key":"json","type":"json","value":{"w":1}}
                    {"key":"launches","type":"int","value":3}
                    {"key":"name","type":"string","value":"a\\tb"}
                    {"key":"new","type":"type 200","value_hex":"0102"}
                    {"key":"on","type":"bool","value":true}
                    {"key":"then","type":"date","value":"1970-01-01T00:00:00.5Z"}

                    """
                )
        )
        #expect(try cairn("mapped", "list", path, "--sort", "--keys-only").output == "a list\njson\nlaunches\nname\nnew\non\nthen\n")
        #expect(
            try cairn("mapped", "list", path, "--keys-only", "--json", "--prefix", "o") == Outcome("{\"key\":\"on\",\"type\":\"bool\"}\n")
        )
    }

    // MARK: Files

    @Test func exportAndImport() throws {
        try store()
        let json = playground.path("out.json"), copy = playground.path("copy.map")
        let text = "{\n\"launches\":3,\n\"name\":\"a\\tb\",\n\"on\":true\n}\n"
        #expect(try cairn("mapped", "export", path) == Outcome(text))
        #expect(try cairn("mapped", "export", path, json) == Outcome())
        #expect(try FileSystem.system.stat(json).mode == 0o600)
        #expect(try cairn("mapped", "import", copy, json, "--create") == Outcome("Stored 3 values from '\(json)'.\n"))
        #expect(try cairn("mapped", "export", copy) == Outcome(text))
        #expect(try cairn("mapped", "set", copy, "on", "false") == Outcome())
        #expect(
            try cairn("mapped", "import", copy, json, "--keep-existing", "--json")
                == Outcome(
                    "{\"stored\":0,\"records\":3,\"guessed\":[],\"wrong_types\":[],\"omitted\":[],\"damage\":null,\"warnings\":[]}\n"
                )
        )
        #expect(try cairn("mapped", "get", copy, "on") == Outcome("false"))
        let cdb = playground.path("out.cdb")
        #expect(try cairn("mapped", "export", path, cdb) == Outcome())
        #expect(try FileSystem.system.stat(cdb).mode == 0o600)
        #expect(try CDBReader(path: cdb).get("launches") == [2, 3])
        #expect(try cairn("mapped", "export", path, cdb, "--raw") == Outcome())
        #expect(try cairn("cdb", "query", cdb, "name") == Outcome("a\tb"))
        #expect(try cairn("mapped", "export", path, "--format", "cdb").status == 2)
        #expect(try cairn("mapped", "export", path, playground.path("no/where.json")).status == 4)
        let broken = try playground.file("broken.json", "{\"a\":1,")
        let outcome = try cairn("mapped", "import", copy, broken)
        #expect(outcome.status == 4 && outcome.error.contains(broken))
        #expect(try cairn("mapped", "import", copy, playground.path("none.json")).status == 4)
        #expect(try cairn("mapped", "import", copy, playground.file("values", "{}")).status == 2)
        #expect(try cairn("mapped", "import", copy, json, "--types", "a").status == 2)
        let typed = "Error: --types is for mmkv and goose; in json, values have their own types.\n"
        #expect(try cairn("mapped", "import", copy, json, "--types", "launches=int") == Outcome(error: typed, status: 2))
        #expect(try cairn("mapped", "import", copy, json, "--types", "launches=int", "--format", "plist").status == 2)
    }

    /// Dates for which ISO 8601 has no text are numbers, as in what `export` writes.
    @Test func datesBeyondTheCalendar() throws {
        let dates: [(seconds: Double, text: String, json: String)] = [
            (.nan, "nan", "\"nan\""), (.infinity, "inf", "\"inf\""), (-.infinity, "-inf", "\"-inf\""), (1e300, "1e+300", "1e+300"),
            (-1e15, "-1000000000000000.0", "-1000000000000000.0"), (252_423_993_600, "252423993600.0", "252423993600.0"),
            (252_423_993_599, "9999-12-31T23:59:59Z", "\"9999-12-31T23:59:59Z\""),
        ]
        for (seconds, text, json) in dates {
            try store(["k": .date(Date(timeIntervalSinceReferenceDate: seconds))])
            #expect(try cairn("mapped", "get", path, "k") == Outcome(text))
            #expect(try cairn("mapped", "list", path) == Outcome("k\tdate\t\(text)\n"))
            #expect(try cairn("mapped", "get", path, "k", "--json") == Outcome("{\"key\":\"k\",\"type\":\"date\",\"value\":\(json)}\n"))
        }
    }

    /// The export would take the place of the store, and what JSON omits would be lost.
    @Test func aStoreIsNotExportedOntoItself() throws {
        try store()
        let link = playground.path("link.map")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        for output in [path, link] {
            for format in ["json", "cdb"] {
                let outcome = try cairn("mapped", "export", path, output, "--format", format)
                #expect(outcome.status == 4 && outcome.error.contains("is the store itself"), "\(outcome)")
            }
        }
        #expect(try cairn("mapped", "verify", path).status == 0)
    }

    /// Goose and MMKV files, with given and guessed types.
    @Test func importFromOtherLibraries() throws {
        func goose(_ key: String, _ value: [UInt8]) -> [UInt8] {
            [UInt8(key.utf8.count), 0, 0, 0, 0, 0, 0, 0, UInt8(value.count), 0, 0, 0, 0, 0, 0, 0] + Array(key.utf8) + value
        }
        let records = goose("flag", [1]) + goose("n", [7, 0, 0, 0, 0, 0, 0, 0])
        let file = try playground.file("old.goose", [UInt8(records.count), 0, 0, 0, 0, 0, 0, 0] + records)
        let outcome = try cairn("mapped", "import", path, file, "--create", "--format", "goose", "--types", "flag=bool")
        #expect(outcome.status == 0 && outcome.output.hasPrefix("Stored 2 values from '\(file)'.\nguessed: n is int"), "\(outcome)")
        #expect(try cairn("mapped", "get", path, "flag") == Outcome("true"))

        // What does not match --types, and what is damaged, is stored as far as possible.
        let wrong = try cairn("mapped", "import", path, file, "--format", "goose", "--types", "n=bool")
        #expect(wrong.status == 1 && wrong.output.contains("\nwrong type: n\n") && wrong.error.contains("given with --types"), "\(wrong)")
        let missing = try cairn("mapped", "import", path, file, "--format", "goose", "--types", "x=bool")
        let error = "Error: '\(file)' has no value for the key 'x', which --types names.\n"
        #expect(missing.status == 1 && missing.output.hasPrefix("Stored 2 values") && missing.error == error, "\(missing)")
        let short = try playground.file("short.goose", [UInt8(records.count), 0, 0, 0, 0, 0, 0, 0] + records.dropLast())
        let damaged = try cairn("mapped", "import", path, short, "--format", "goose")
        #expect(damaged.status == 1 && damaged.output.hasPrefix("Stored 1 value from"), "\(damaged)")
        #expect(damaged.output.contains("; 1 record is complete\n"))
        #expect(damaged.error == "Error: '\(short)' is damaged; what could be read was stored.\n")

        // The first file of MMKV: its size in use, then 7 bytes without meaning, then "key" and the text "text".
        let data: [UInt8] = [3] + Array("key".utf8) + [5, 4] + Array("text".utf8)
        let mmkv = try playground.file(
            "old",
            [UInt8(data.count + 4), 0, 0, 0] + [0xFF, 0xFF, 0xFF, 0x07] + data + [UInt8](repeating: 0, count: 64)
        )
        let found = try cairn("mapped", "import", path, mmkv, "--format", "mmkv", "--json")
        // Without its .crc file, where the records end is a guess.
        #expect(
            found.status == 1 && found.output.contains("\"stored\":1,") && found.output.contains("\"damage\":\"the .crc file"),
            "\(found)"
        )
        #expect(try cairn("mapped", "get", path, "key") == Outcome("text"))
    }

    @Test func verifyFindsDamage() throws {
        try store(["a": .string("will be damaged"), "b": .int(1)])
        #expect(try cairn("mapped", "verify", path) == Outcome("2 values read, no damage found.\n"))
        let intact = "{\"ok\":true,\"path\":\"\(path)\",\"damage\":[],\"values\":2}\n"
        #expect(try cairn("mapped", "verify", path, "--json") == Outcome(intact))
        try damage("be damaged")
        let hint = "Hint: 'cairn mapped export' saves what can still be read.\n"
        #expect(
            try cairn("mapped", "verify", path)
                == Outcome(
                    "damage: the value of key 'a' does not match its checksum\n1 value read, 1 problem found.\n",
                    error: "Error: '\(path)' is damaged.\n\(hint)",
                    status: 1
                )
        )
        let damaged = #"{"what":"the value of key 'a' does not match its checksum","where":"key 'a'"}"#
        #expect(
            try cairn("mapped", "check", path, "--json")
                == Outcome(
                    "{\"ok\":false,\"path\":\"\(path)\",\"damage\":[\(damaged)],\"values\":1}\n",
                    error: "Error: '\(path)' is damaged.\n\(hint)",
                    status: 1
                )
        )
        let get = try cairn("mapped", "get", path, "a")
        #expect(get.status == 3 && get.output.isEmpty && get.error.contains("'cairn mapped verify'"))
        #expect(try cairn("mapped", "get", path, "b") == Outcome("1"))
        let list = try cairn("mapped", "list", path)
        #expect(list.output == "b\tint\t1\n" && list.status == 1)
        let info = try cairn("mapped", "info", path)
        #expect(info.output.hasPrefix("values     1\n") && info.status == 1, "\(info)")
        #expect(info.error.contains("is damaged; all other values were counted."), "\(info)")
        let export = try cairn("mapped", "export", path)
        #expect(export.output == "{\n\"b\":1\n}\n" && export.status == 1)
        #expect(try cairn("mapped", "set", path, "a", "repaired") == Outcome())
        #expect(try cairn("mapped", "verify", path).status == 0)
    }

    /// What it was that was lost, no other command will say: what was written makes the file whole.
    @Test(arguments: [["set", "new", "1"], ["compact"]]) func writingReportsWhatWasLost(command: [String]) throws {
        let store = try MappedStore(path: path)
        for number in 0..<1000 { try store.set(number, for: "key \(number)") }
        try store.close()
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.truncate(atOffset: 16384)
        try file.close()
        let outcome = try Outcome(runTool("cairn", ["mapped", command[0], path] + command.dropFirst()))
        let lines = outcome.error.split(separator: "\n")
        #expect(outcome.status == 0 && lines.count == 3, "\(outcome)")
        #expect(lines.first?.hasSuffix(" to 16383 contain no complete value.") == true, "\(outcome.error)")
        #expect(lines.dropFirst().first?.hasPrefix("Warning: '\(path)' was damaged: bytes 16384 to ") == true, "\(outcome.error)")
        #expect(lines.dropFirst().first?.hasSuffix(" are missing: the file was truncated, or copied incompletely.") == true)
        #expect(lines.last == "Hint: The values there are lost; 'cairn mapped restore' recovers them from a backup.")
        #expect(try cairn("mapped", "set", path, "another", "1") == Outcome())
    }

    @Test func anotherFileIsNotChangedSaidOnce() throws {
        let text = try playground.file("b.txt", "text\n")
        let outcome = try cairn("mapped", "get", text, "a")
        #expect(
            outcome
                == Outcome(
                    error:
                        "Error: \(text) is not a mapped store, or its header is lost; it was not changed.\nHint: 'cairn doctor' identifies it.\n",
                    status: 3
                )
        )
    }

    @Test func verifyFindsThatTheFileWasTruncated() throws {
        try store(["a": .string("stays"), "b": .int(1)])
        // Behind the first table, where the first record begins.
        let length = 6160
        let whole = try #require(FileManager.default.contents(atPath: path))
        let end = whole[1088..<1096].reversed().reduce(0) { $0 << 8 | Int($1) }
        try Data(whole.prefix(length)).write(to: URL(fileURLWithPath: path))
        let what = "bytes 4096 to \(length - 1) contain no complete value"
        let missing = "bytes \(length) to \(end - 1) are missing: the file was truncated, or copied incompletely"
        let hint = "Hint: 'cairn mapped export' saves what can still be read.\n"
        #expect(
            try cairn("mapped", "verify", path)
                == Outcome(
                    "damage: \(what)\ndamage: \(missing)\n0 values read, 2 problems found.\n",
                    error: "Error: '\(path)' is damaged.\n\(hint)",
                    status: 1
                )
        )
        let list = try cairn("mapped", "list", path)
        #expect(list.output.isEmpty && list.status == 1)
        let backup = try cairn("mapped", "backup", path, playground.path("backup.map"))
        #expect(backup.status == 1 && backup.error.contains("is damaged; all other values were copied."), "\(backup)")
    }

    @Test func infoAndCompact() throws {
        try store()
        let info = try cairn("mapped", "info", path)
        #expect(info.output.hasPrefix("values     3\nencrypted  no\nfile       16 KiB\n") && info.status == 0, "\(info)")
        #expect(
            info.output.hasSuffix("\ntype    values  data\nbool         1   1 B\nint          1   1 B\nstring       1   3 B\n"),
            "\(info)"
        )
        let json = try cairn("mapped", "info", path, "--json").output
        let object = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(object["values"] as? Int == 3 && object["encrypted"] as? Bool == false && object["file_bytes"] as? Int == 16384)
        let open = try MappedStore(path: path)
        for number in 0..<5000 { try open.set(number, for: "key") }
        let compacted = try cairn("mapped", "compact", path, "--json").output
        let sizes = try #require(JSONSerialization.jsonObject(with: Data(compacted.utf8)) as? [String: Int])
        #expect(try #require(sizes["bytes_before"]) > 100_000 && #require(sizes["bytes_after"]) < 20_000, "\(sizes)")
        #expect(try open.get("key") == 4999)
        #expect(try cairn("mapped", "compact", path).output.hasSuffix(" after.\n"))
    }

    @Test func backupAndRestore() throws {
        try store()
        let backup = playground.path("backup.map")
        let made = try cairn("mapped", "backup", path, backup)
        #expect(made.output.hasPrefix("Wrote 3 values to '\(backup)', ") && made.status == 0)
        #expect(try cairn("mapped", "set", path, "launches", "4") == Outcome())
        let open = try MappedStore(path: path)
        #expect(try cairn("mapped", "restore", path, backup) == Outcome("Restored 3 values from '\(backup)'.\n"))
        #expect(try open.get("launches") == 3)
        let busy = try cairn("mapped", "backup", backup, path)
        #expect(busy.status == 3 && busy.error.contains("the store there is open"))
        #expect(try cairn("mapped", "restore", path, playground.path("none")).status == 3)
    }

    /// Changes by another process are printed as they come.
    @Test func watch() throws {
        try store()
        let store = try MappedStore(path: path)
        let child = try ChildProcess("cairn", ["mapped", "watch", path, "launches", "name", "--count", "5"])
        #expect(child.readLine() == "set\tlaunches\tint\t3")
        #expect(child.readLine() == "set\tname\tstring\ta\\tb")
        try store.set(4, for: "launches")
        #expect(child.readLine() == "set\tlaunches\tint\t4")
        try store.set(false, for: "on")
        try store.remove("name")
        #expect(child.readLine() == "removed\tname")
        try store.removeAll()
        #expect(child.readLine() == "everything")
        #expect(child.readLine() == nil)
        #expect(try child.waitForEnd() == .exited(0))

        let reading = try ChildProcess("cairn", ["mapped", "watch", path, "x", "--json", "--count", "2"])
        #expect(reading.readLine() == "{\"change\":\"removed\",\"key\":\"x\"}")
        try store.set(1.5, for: "x")
        #expect(reading.readLine() == "{\"change\":\"set\",\"key\":\"x\",\"type\":\"double\",\"value\":1.5}")
        #expect(try cairn("mapped", "watch", playground.path("none")).status == 3)
        #expect(try cairn("mapped", "watch", path, "--count", "0").status == 2)
    }

    // MARK: Encryption

    @Test func encryptedStores() throws {
        let key = try playground.file("key", String(repeating: "0123456789abcdef", count: 4) + "\n")
        let other = try playground.file("other", [UInt8](repeating: 7, count: 32))
        let passphrase = try playground.file("passphrase", "correct horse\nbattery\n")
        let options = ["--key-file", key]
        func mapped(_ command: String, _ rest: [String] = [], _ options: [String], stdin: String = "") throws -> Outcome {
            let result = try runTool("cairn", ["mapped", command, path] + rest + options, stdin: stdin)
            return Outcome(result)
        }
        #expect(try mapped("set", ["SECRETkey", "SECRETvalue", "--create"], options) == Outcome())
        #expect(try mapped("get", ["SECRETkey"], options) == Outcome("SECRETvalue"))
        #expect(try mapped("info", [], options).output.contains("encrypted  yes\n"))
        let hint = "Hint: Give the key with --key-file or --passphrase-file.\n"
        for wrong in [[], ["--key-file", other], ["--passphrase-file", passphrase]] {
            let outcome = try mapped("list", [], wrong)
            #expect(outcome.status == 3 && outcome.output.isEmpty && outcome.error.hasSuffix(hint), "\(outcome)")
        }
        #expect(
            try mapped("rekey", ["--new-passphrase-file", passphrase, "--algorithm", "chacha20-poly1305"], options)
                == Outcome("Encrypted 1 value with the new key.\n")
        )
        #expect(try mapped("get", ["SECRETkey"], options).status == 3)
        #expect(FileManager.default.contents(atPath: path)?.range(of: Data("SECRET".utf8)) == nil)
        let decrypted = try mapped("rekey", ["--plain"], ["--passphrase-file", "-"], stdin: "correct horse")
        #expect(decrypted == Outcome("Decrypted 1 value.\n"))
        #expect(try mapped("get", ["SECRETkey"], []) == Outcome("SECRETvalue"))
        #expect(try mapped("rekey", ["--plain"], []) == Outcome(error: "Error: '\(path)' is not encrypted.\n", status: 3))
        let plain = try mapped("get", ["SECRETkey"], options)
        let words = "Error: \(path) is not encrypted, but a key was given.\nHint: Leave out the key; 'rekey' encrypts the store.\n"
        #expect(plain.status == 3 && plain.error == words, "\(plain)")
        #expect(try mapped("rekey", [], []).status == 2)
        #expect(try mapped("rekey", ["--plain", "--new-key-file", key], []).status == 2)
        #expect(try mapped("get", ["a"], ["--key-file", key, "--passphrase-file", passphrase]).status == 2)
        let short = try playground.file("short", "abc")
        #expect(
            try mapped("get", ["a"], ["--key-file", short])
                == Outcome(error: "Error: '\(short)' does not contain a key, which is 32 bytes or 64 hexadecimal digits.\n", status: 4)
        )
        #expect(try mapped("get", ["a"], ["--passphrase-file", playground.file("empty", "\nx")]).status == 4)
        #expect(try mapped("get", ["a"], ["--key-file", playground.path("none")]).status == 4)
    }
}
