import CairnToolKit

/// Calls `body` with standard output, and writes out what it wrote, also if it fails half-way.
func printing(_ body: (OutputWriter) throws -> Void) throws {
    let output = OutputWriter(.output)
    do {
        try body(output)
    } catch {
        if !(error is OutputError) { try output.flush() }
        throw error
    }
    try output.flush()
}

extension OutputWriter {
    func write(_ table: TextTable, indent: String = "") throws(OutputError) {
        for line in table.lines(indent: indent, on: Terminal(.output)) { try writeLine(line) }
    }

    func write(_ json: JSONValue) throws(OutputError) {
        try write(json.text)
        try writeLine()
    }
}
