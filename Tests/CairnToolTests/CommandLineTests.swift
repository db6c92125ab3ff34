import CairnTestSupport
import Foundation
import Testing

/// What all commands have in common: paths, usage, help.
struct CommandLineTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func wordsThatNameNoCommand() throws {
        func error(_ message: String, _ hint: String) -> Outcome { Outcome(error: "Error: \(message)\nHint: \(hint)\n", status: 2) }
        #expect(
            try cairn("rocks", "gett", "db", "k") == error("There is no command 'cairn rocks gett'.", "Did you mean 'cairn rocks get'?")
        )
        #expect(try cairn("rokcs", "get") == error("There is no command 'cairn rokcs'.", "Did you mean 'cairn rocks'?"))
        #expect(
            try cairn("set", "m", "k", "1")
                == error("There is no command 'cairn set'.", "Did you mean 'cairn mapped set' or 'cairn objects set'?")
        )
        #expect(
            try cairn("get", "m", "k")
                == error("There is no command 'cairn get'.", "Did you mean 'cairn rocks get' or 'cairn mapped get'?")
        )
        #expect(try cairn("help", "nope") == error("There is no command 'cairn nope'.", "'cairn --help' lists the commands."))
        #expect(
            try cairn("help", "rocks", "scna") == error("There is no command 'cairn rocks scna'.", "Did you mean 'cairn rocks scan'?")
        )
        #expect(try cairn("help", "rocks", "scan") == cairn("rocks", "scan", "--help"))
        #expect(try cairn("xyzzy-plugh") == error("There is no command 'cairn xyzzy-plugh'.", "'cairn --help' lists the commands."))
    }

    @Test func aPathAloneIsExamined() throws {
        let playground = try Playground()
        let store = playground.path("m")
        #expect(try cairn("mapped", "set", store, "key", "1", "--create") == Outcome())
        #expect(try cairn(store) == cairn("doctor", store))
        #expect(try cairn(store, "--json") == cairn("doctor", store, "--json"))
        #expect(try cairn("./nothing/there").error == cairn("doctor", "./nothing/there").error)
    }

    @Test func messagesSayThingsOnceAndLeavePathsAsTheyAre() throws {
        #expect(
            try cairn("mapped", "set", "/nothing/m", "a", "b", "--create")
                == Outcome(error: "Error: Could not create /nothing/m: its directory does not exist; create it first.\n", status: 3)
        )
        let playground = try Playground()
        #expect(try cairn("rocks", "put", playground.path("db"), "a", "1", "--create") == Outcome())
        let result = try runTool("/bin/sh", ["-c", "cd '\(playground.directory.path)' && '\(toolPath())' objects info db"])
        #expect(result.standardError == "Error: db contains data, but is not an object store. Nothing was changed.\n")
    }

    @Test func aKeyThatATruncatedStoreHasLostIsNotSimplyMissing() throws {
        let playground = try Playground()
        let store = playground.path("m")
        #expect(try cairn("mapped", "set", store, "key", "1", "--create") == Outcome())
        try FileManager.default.contents(atPath: store)!.prefix(5000).write(to: URL(fileURLWithPath: store))
        let outcome = try cairn("mapped", "get", store, "key")
        #expect(outcome.status == 1)
        #expect(outcome.error.hasSuffix("Hint: The file is damaged; 'cairn mapped verify' shows what is missing.\n"))
    }

    @Test func numbersThatMakeNoSense() throws {
        #expect(try cairn("rocks", "scan", "db", "--limit", "-1").error.hasPrefix("Error: --limit cannot be negative.\n"))
        #expect(try cairn("rocks", "tail", "db", "--limit", "-1").error.hasPrefix("Error: --limit cannot be negative.\n"))
        #expect(try cairn("objects", "list", "db", "Song", "--limit", "-1").error.hasPrefix("Error: --limit cannot be negative.\n"))
        #expect(try cairn("mapped", "watch", "m", "--count", "-1").error.hasPrefix("Error: --count must be at least 1.\n"))
        #expect(try cairn("cdb", "query", "c", "k", "--number", "-1").error.hasPrefix("Error: --number counts from 1.\n"))
    }

    @Test func negativeNumbersAreKeysAndValues() throws {
        let db = playground.path("db")
        func tool(_ command: String, _ arguments: String...) throws -> Outcome {
            Outcome(try runTool("cairn", ["rocks", command, db] + arguments))
        }
        #expect(try tool("put", "-7", "a", "--create", "--key-type", "int") == Outcome())
        #expect(try tool("put", "--key-type", "int", "--sync", "-1", "-.5") == Outcome())
        #expect(try tool("get", "-7", "--key-type", "int") == Outcome("a"))
        #expect(try tool("scan", "--key-type", "int", "--from", "-7", "--to", "-0", "--limit", "5") == Outcome("-7\ta\n-1\t-.5\n"))
        #expect(try tool("get", "-7,5", "--key-type", "int,int").error.hasPrefix("Error: There is no key '-7,5' in"))
        #expect(try tool("get", "-8x", "--key-type", "int") == Outcome(error: "Error: '-8x' is not a valid int.\n", status: 2))
        #expect(try tool("delete", "-7", "-1", "--key-type", "int") == Outcome())
        #expect(try tool("put", "-7", "bytes") == Outcome())
        #expect(try tool("scan") == Outcome("-7\tbytes\n"))
        // Where there must be something else, they are options.
        let other = try tool("get", "-x")
        #expect(other.status == 2 && other.error.hasPrefix("Error: Missing expected argument '<key>'\n"))
        #expect(other.error.hasSuffix("\nHint: Write '--' before arguments that begin with '-', and options before that.\n"))
        #expect(try tool("put", "--", "-x", "1") == Outcome())
        #expect(try cairn("objects", "list", db, "Song", "-1").status == 2)
    }

    @Test func argumentsThatAreNotUTF8() throws {
        let playground = try Playground()
        func shell(_ text: String) throws -> Outcome {
            let tool = try "'\(toolPath())' "
            let result = try runTool("/bin/sh", ["-c", "cd '\(playground.directory.path)'; " + text.replacing("cairn ", with: tool)])
            return Outcome(result)
        }
        #expect(try shell(#"cairn rocks put db "$(printf 'a\351')" "$(printf '\377')" --create"#) == Outcome())
        #expect(try shell("cairn rocks scan db --hex") == Outcome("61e9\tff\n"))
        #expect(try shell(#"cairn rocks get db "$(printf 'a\351')" --json"#).output == #"{"key_hex":"61e9","value_hex":"ff"}"# + "\n")
        #expect(try shell(#"cairn rocks count db --prefix="$(printf 'a\351')""#) == Outcome("1\n"))
        #expect(try shell(#"cairn rocks delete db "$(printf 'a\351')""#) == Outcome())
        #expect(
            try shell(#"cairn rocks get db "$(printf 'a\351')""#)
                == Outcome(error: #"Error: There is no key 'a\xe9' in column family 'default' of 'db'."# + "\n", status: 1)
        )
        #expect(try shell(#"cairn mapped set m key "$(printf '\377')" --create && cairn mapped list m"#) == Outcome("key\tbytes\t\\xff\n"))

        // All else must be UTF-8: nothing is created under another name.
        for command in [#"rocks put "$(printf 'x\351')" key value --create"#, #"cdb query "$(printf 'x\351')" key"#] {
            let outcome = try shell("cairn " + command)
            #expect(outcome.status == 2 && outcome.output == "")
            #expect(outcome.error == "Error: The argument 'x\\xe9' is not UTF-8. Only keys and values can be arbitrary bytes.\n")
        }
        for (command, value) in [("get m", ""), ("set m --create", "x"), ("remove m", "x")] {
            let outcome = try shell(#"cairn mapped \#(command) "$(printf 'k\377')" \#(value)"#)
            let error =
                #"Error: The argument 'k\xff' is not UTF-8. Keys of mapped stores are text; only values can be arbitrary bytes."# + "\n"
            #expect(outcome.status == 2 && outcome.error == error, "\(outcome)")
        }
        for command in ["", "doctor "] {
            let outcome = try shell(#"touch "$(printf '\377.cdb')"; cairn \#(command)"$(printf '\377.cdb')"; echo $?; rm *.cdb"#)
            let error = #"Error: The argument '\xff.cdb' is not UTF-8. Only keys and values can be arbitrary bytes."# + "\n"
            #expect(outcome == Outcome("2\n", error: error))
        }
        #expect(try shell("ls") == Outcome("db\nm\n"))
    }

    @Test(arguments: ["get", "put", "delete"])
    func aMissingDatabaseIsNamed(command: String) throws {
        let path = playground.path("nothing")
        let expected = """
            Error: There is no database at '\(path)'.
            Hint: Check the path; 'put' and 'import' create a database with --create.

            """
        let arguments = ["rocks", command, path, "key"] + (command == "put" ? ["value"] : [])
        let result = try runTool("cairn", arguments)
        #expect(Outcome(result) == Outcome(error: expected, status: 3))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(arguments: ["scan", "count", "export", "stats", "properties", "options", "verify", "column-families"])
    func aMissingDatabaseIsNotMade(command: String) throws {
        let path = playground.path("nothing")
        let outcome = try cairn("rocks", command, path)
        #expect(outcome.status == 3 && outcome.output == "")
        #expect(outcome.error.hasPrefix("Error: There is no database at '\(path)'.\n"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func whatIsNoDatabaseIsRefused() throws {
        let file = try playground.file("file", "text")
        #expect(
            try cairn("rocks", "count", file) == Outcome(error: "Error: '\(file)' is a file, not a database directory.\n", status: 3)
        )
        #expect(try cairn("rocks", "put", file, "a", "1", "--create").status == 3)
        #expect(try cairn("rocks", "count", file + "/x").error.hasPrefix("Error: There is no database at '\(file)/x'.\n"))
        let directory = playground.directory.path
        #expect(
            try cairn("rocks", "count", directory).error.hasPrefix(
                "Error: The directory '\(directory)' does not contain a RocksDB database.\n"
            )
        )
        // Without its parent a database cannot be made.
        let orphan = try cairn("rocks", "put", playground.path("no/such/parent"), "a", "1", "--create")
        #expect(orphan.status == 3 && orphan.error.hasPrefix("Error: Opening the database at '\(playground.path("no/such/parent"))': "))
    }

    @Test func anUnknownColumnFamilyIsNamed() throws {
        let db = try playground.database("db", columnFamilies: ["songs"])
        let error = "Error: '\(db)' has no column family 'sings'.\nHint: It has: default, songs."
        for command in ["scan", "count", "export", "properties"] {
            #expect(try cairn("rocks", command, db, "-c", "sings") == Outcome(error: error + "\n", status: 3))
        }
        #expect(try cairn("rocks", "put", db, "a", "1", "-c", "sings") == Outcome(error: error + " --create creates it.\n", status: 3))
    }

    @Test(arguments: [
        (["rocks", "nonsense"], "Error: There is no command 'cairn rocks nonsense'.\n"),
        (["rocks", "scan"], "Error: Missing expected argument '<path>'\n"),
        (["rocks", "scan", "db", "--nonsense"], "Error: Unknown option '--nonsense'\n"),
        (["rocks", "scan", "db", "--limit", "x"], "Error: The value 'x' is invalid for '--limit <limit>'\n"),
        (["rocks", "scan", "db", "--limit=-1"], "Error: --limit cannot be negative.\n"),
        (["rocks", "scan", "db", "--prefix", "a", "--from", "b"], "Error: --prefix cannot be combined with --from and --to.\n"),
        (["rocks", "tail", "db", "--since", "-1"], "Error: --since cannot be negative.\n"),
        (["rocks", "backups", "db", "--keep", "-1"], "Error: --keep cannot be negative.\n"),
        (["rocks", "restore", "backups", "db", "--id", "-1"], "Error: --id cannot be negative.\n"),
        (["mapped", "set", "m", "k", "v", "--expires-after", "-5"], "Error: --expires-after cannot be negative; it takes a number"),
        (["rocks", "import", "db", "--batch", "-1"], "Error: --batch must be at least 1.\n"),
        (["rocks", "import", "db", "--batch", "0"], "Error: --batch must be at least 1.\n"),
        (["rocks", "import", "db", "--format", "xml"], "Error: The value 'xml' is invalid for '--format <format>'."),
        (["rocks", "get", "db", "xyz", "--hex"], "Error: 'xyz' does not consist of pairs of hexadecimal digits, which --hex requires.\n"),
        (["tour", "--key", "x"], "Error: --format and --key need a file.\n"),
    ])
    func commandLinesThatMakeNoSenseAreExitCodeTwo(arguments: [String], error: String) throws {
        let result = try runTool("cairn", arguments)
        #expect(result.status == 2 && result.standardOutput == "")
        #expect(result.standardError.hasPrefix(error), "\(result.standardError)")
    }

    @Test func helpTellsTheExitCodes() throws {
        for arguments in [["--help"], ["rocks", "--help"], []] {
            let result = try runTool("cairn", arguments)
            #expect(result.status == 0 && result.standardError == "")
            #expect(result.standardOutput.contains("Exit codes:\n  0  done\n  1  the answer is no"))
        }
        #expect(try cairn("--version") == Outcome("0.1.0\n"))
    }

    private static let completions = Result { try cairn("--generate-completion-script", "bash") }

    /// What a shell offers for the last of these words, in a directory with a file and a directory.
    @Test(arguments: [
        (["do"], ["doctor"]), (["rocks", "i"], ["import", "ingest"]),
        (["cdb", "dump", "x", "--dialect", ""], ["go64", "python64", "standard"]),
        (["mapped", "set", "x", "k", "v", "--type", "b"], ["bool", "bytes"]), (["doctor", ""], ["songs.db", "songs.sst"]),
        (["rocks", "scan", ""], ["songs.db"]), (["rocks", "ingest", "x", ""], ["songs.db", "songs.sst"]),
        (["objects", "import", "x", "--key-file", "songs.s"], ["songs.sst"]),
    ])
    func shellsCompleteCommandsFilesAndValues(words: [String], expected: [String]) throws {
        let script = try playground.file("completions", Self.completions.get().output)
        let directory = playground.path("directory")
        try FileManager.default.createDirectory(atPath: directory + "/songs.db", withIntermediateDirectories: true)
        _ = try playground.file("directory/songs.sst", "")
        let asking = """
            cd "$1"; source "$2"; shift 2
            COMP_WORDS=(cairn "$@"); COMP_CWORD=$#; COMP_LINE="cairn $*"; COMP_POINT=${#COMP_LINE}
            _cairn cairn "${COMP_WORDS[$#]}" "${COMP_WORDS[$#-1]}"
            printf '%s\n' "${COMPREPLY[@]}"
            """
        let result = try runTool("/bin/bash", ["--norc", "-c", asking, "bash", directory, script] + words)
        #expect(result.status == 0 && result.standardOutput.split(separator: "\n").map(String.init).sorted() == expected, "\(result)")
    }
}
