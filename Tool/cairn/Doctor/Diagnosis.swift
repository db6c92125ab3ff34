import CairnToolKit

/// What `doctor` found out about a path.
struct Diagnosis {
    /// What a path can be, as `--json` names it.
    enum Kind: String {
        case rocksdb, objectStore = "object_store", mappedStore = "mapped_store", cdb, mmkv, goose, bnrpersistence
        case sortedFile = "sorted_file", backups, columnFamilyExport = "column_family_export"
        case foreign = "none"
    }

    /// The state of a store.
    enum State: String {
        /// Everything that can be checked is intact.
        case intact
        case damaged
        /// Everything that can be checked without the key is intact.
        case locked
        /// A change of the encryption, or a move to this place, was started and not finished.
        case unfinished
        /// Another program is opening it, or this release or tool cannot open it.
        case unavailable
        /// There is no store.
        case none
    }

    /// A command to run, or several of which each needs the ones before, and its purpose.
    struct Step {
        let command: String
        let purpose: String

        init(_ commands: [[String]], _ purpose: String) {
            command = commands.map { $0.map(\.quotedForShell).joined(separator: " ") }.joined(separator: " && ")
            self.purpose = purpose
        }
    }

    struct Fact {
        let name: String
        let text: String
        let value: JSONValue
    }

    var kind: Kind
    /// With its article: `a mapped store`.
    var phrase: String
    var state = State.intact
    var isEncrypted = false
    /// What the state means, in a sentence or two.
    var summary = ""
    private(set) var facts: [Fact] = []
    /// What is damaged.
    var damage: [String] = []
    /// Other things worth knowing.
    var notes: [String] = []
    private(set) var next: [Step] = []

    init(_ kind: Kind, _ phrase: String) {
        self.kind = kind
        self.phrase = phrase
    }

    /// Not a store; `phrase` says what it is instead.
    static func nothing(_ phrase: String, _ summary: String) -> Diagnosis {
        var diagnosis = Diagnosis(.foreign, phrase)
        diagnosis.state = .none
        diagnosis.summary = summary
        return diagnosis
    }

    mutating func fact(_ name: String, _ count: some BinaryInteger) {
        facts.append(Fact(name: name, text: Numbers.grouped(count), value: .int(Int64(clamping: count))))
    }

    mutating func fact(_ name: String, _ text: String) { facts.append(Fact(name: name, text: text, value: .string(text))) }

    /// A size: text for people, bytes for programs.
    mutating func fact(_ name: String, bytes: Int64, _ text: String) { facts.append(Fact(name: name, text: text, value: .int(bytes))) }

    /// Suggests running `cairn` with these arguments.
    mutating func advise(_ arguments: String..., with options: [String] = [], to purpose: String) {
        next.append(Step([["cairn"] + arguments + options], purpose))
    }

    mutating func advise(command: [String]..., to purpose: String) { next.append(Step(command, purpose)) }

    /// The exit code.
    var status: ExitStatus {
        switch state {
        case .intact, .locked: .done
        case .damaged, .unfinished, .none: .no
        case .unavailable: .database
        }
    }
}

extension Diagnosis {
    func write(path: String, to output: OutputWriter) throws {
        try output.writeLine("\(EscapedText.string(Array(path.utf8))) is \(phrase).")
        try output.writeLine(summary)
        if !facts.isEmpty {
            try output.writeLine()
            var table = TextTable(["", ""])
            for fact in facts { table.append([fact.name, EscapedText.string(Array(fact.text.utf8))]) }
            try output.write(table, indent: "  ")
        }
        if !damage.isEmpty || !notes.isEmpty { try output.writeLine() }
        for text in damage { try output.writeLine("damage: \(EscapedText.string(Array(text.utf8)))") }
        for text in notes { try output.writeLine("note: \(EscapedText.string(Array(text.utf8)))") }
        guard !next.isEmpty else { return }
        try output.writeLine("\nWhat to do next:")
        for step in next { try output.writeLine("  \(step.command)\n      \(step.purpose)") }
    }

    func json(path: String) -> JSONValue {
        .object([
            ("path", .string(path)), ("kind", .string(kind.rawValue)), ("state", .string(state.rawValue)), ("is", .string(phrase)),
            ("encrypted", .bool(isEncrypted)),
            ("summary", .string(summary)),
            ("facts", .object(facts.map { ($0.name.replacing(" ", with: "_"), $0.value) })),
            ("damage", .array(damage.map { .string($0) })), ("notes", .array(notes.map { .string($0) })),
            ("next", .array(next.map { .object([("command", .string($0.command)), ("purpose", .string($0.purpose))]) })),
        ])
    }
}

extension String {
    /// Quoted so that a shell takes it as one word. What could control a terminal is written as shells such as bash and zsh read it.
    var quotedForShell: String {
        guard unicodeScalars.allSatisfy(EscapedText.isPrintable) else {
            return "$'" + EscapedText.string(Array(utf8)).replacing("'", with: #"\'"#) + "'"
        }
        let plain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "/._-+=:,@%".utf8.contains(byte)
            }
        }
        return plain && !isEmpty ? self : "'" + replacing("'", with: #"'\''"#) + "'"
    }
}
