import CairnToolKit

/// One thing that is wrong with a store.
struct Damage {
    /// What is wrong, in words that name the place, without a period.
    let what: String
    /// The smallest part of the store that is known to contain it: a key, an object, bytes, else the store.
    let place: String
    /// More about it, for programs.
    var details: [(name: String, value: JSONValue)] = []

    var json: JSONValue { .object([("what", .string(what)), ("where", .string(place))] + details) }
}

/// What `verify` found in a store, of whatever kind: every kind prints it in the same form.
struct VerifyReport {
    let path: String
    var damage: [Damage] = []
    /// The number of problems, if more were found than `damage` lists.
    var problemCount: Int?
    /// What was read: a number and its noun.
    var counts: [(count: Int, one: String, many: String)] = []
    /// Other things worth knowing, which are not damage.
    var notes: [String] = []
    var table: TextTable?
    /// Counts for programs, beside `ok`, `damage` and `path`.
    var details: [(name: String, value: JSONValue)] = []
    /// What to do about the damage.
    var hint = ""

    init(path: String) { self.path = path }

    var isIntact: Bool { damage.isEmpty }

    func write(to output: OutputWriter) throws {
        if let table { try output.write(table) }
        for item in damage { try output.writeLine("damage: \(EscapedText.string(Array(item.what.utf8)))") }
        for note in notes { try output.writeLine("note: \(EscapedText.string(Array(note.utf8)))") }
        let read = counts.map { Numbers.counted($0.count, $0.one, $0.many) }.joined(separator: ", ")
        let found = isIntact ? "no damage" : Numbers.counted(problemCount ?? damage.count, "problem", "problems")
        try output.writeLine("\(read) read, \(found) found.")
    }

    var json: JSONValue {
        .object([("ok", .bool(isIntact)), ("path", .string(path)), ("damage", .array(damage.map(\.json)))] + details)
    }
}
