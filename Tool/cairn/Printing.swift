import CairnToolKit

/// Calls `body` with standard output, and flushes it, even if `body` fails half-way.
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
    /// Writes a value unchanged or as hexadecimal digits. A newline follows digits, and any value on a terminal, in the shell or with `endsLine`.
    func write(value: [UInt8], hex: Bool, endsLine: Bool = false) throws(OutputError) {
        try write(hex ? Hex.digits(value) : value)
        if hex || endsLine || ShellMode.current != nil || Terminal(.output).isTerminal { try writeLine() }
    }

    func write(_ json: JSONValue) throws(OutputError) {
        try write(json.text)
        try writeLine()
    }
}
