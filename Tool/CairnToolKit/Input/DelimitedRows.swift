/// The rows of CSV or TSV with a header, quoted as in RFC 4180.
///
/// Rows end with LF or CRLF; empty lines are skipped.
package struct DelimitedRows {
    /// The names of the columns, each of which occurs once.
    package let names: [[UInt8]]
    /// The line of the header.
    package let headerLine: Int
    private let input: ByteInput
    private let delimiter: UInt8

    /// Reads the header.
    package init(input: ByteInput, delimiter: UInt8) throws(InputError) {
        self.input = input
        self.delimiter = delimiter
        guard let (names, line) = try Self.row(of: input, delimiter: delimiter) else {
            throw input.error(nil, "is empty; it must begin with a header that names the columns")
        }
        (self.names, headerLine) = (names, line)
        if names.contains(where: { $0.contains(UInt8(ascii: "\r")) }), try input.peek() == nil { throw Self.oldLineEnds(of: input) }
        var seen: Set<[UInt8]> = []
        for name in names where !seen.insert(name).inserted {
            throw input.error(line, "the header names the column '\(String(decoding: name, as: UTF8.self))' twice")
        }
    }

    /// Returns the fields of the next row, as many as there are columns, and the line it begins on; `nil` at the end.
    package func next() throws(InputError) -> (fields: [[UInt8]], line: Int)? {
        guard let (fields, line) = try Self.row(of: input, delimiter: delimiter) else { return nil }
        guard fields.count == names.count else {
            throw input.error(line, "has \(Numbers.counted(fields.count, "field", "fields")), but the header has \(names.count)")
        }
        return (fields, line)
    }

    /// Returns the fields of the next row that is not empty, and the line it begins on; `nil` at the end.
    private static func row(of input: ByteInput, delimiter: UInt8) throws(InputError) -> (fields: [[UInt8]], line: Int)? {
        while true {
            guard try input.peek() != nil else { return nil }
            let line = input.line
            var fields: [[UInt8]] = []
            var isQuoted = false
            var size = 0
            var ending: FieldEnd
            repeat {
                var field: [UInt8] = []
                if try input.peek() == UInt8(ascii: "\"") {
                    isQuoted = true
                    ending = try quotedField(of: input, delimiter: delimiter, into: &field)
                } else {
                    ending = try plainField(of: input, delimiter: delimiter, into: &field)
                }
                guard isValidUTF8(field) else { throw input.error(line, "field \(fields.count + 1) is not valid UTF-8") }
                fields.append(field)
                size += field.count
                guard size <= ByteInput.longestLine, fields.count <= mostFields else { throw tooLong(line, of: input) }
            } while ending == .delimiter
            if fields.count == 1 && fields[0].isEmpty && !isQuoted { continue }
            return (fields, line)
        }
    }

    /// The maximum number of fields in a row.
    private static let mostFields = 100_000

    /// The maximum length of a field: more than the text of a long book. Without it, a quote that is never closed makes one field of the rest of the
    /// file, and there are several copies of a field in memory.
    private static let longestField = 8 << 20

    private static func tooLong(_ line: Int, of input: ByteInput) -> InputError {
        input.error(line, "has more than \(Numbers.grouped(mostFields)) fields, or is longer than \(ByteInput.longestLine >> 20) MiB")
    }

    /// The error for lines that end as on a Macintosh before Mac OS X, and as some spreadsheets still write them: all of them would be the header.
    private static func oldLineEnds(of input: ByteInput) -> InputError {
        input.error(nil, "has lines that end with CR alone; end them with LF first (tr '\\r' '\\n')")
    }

    private enum FieldEnd { case delimiter, row }

    private static func plainField(
        of input: ByteInput,
        delimiter: UInt8,
        into field: inout [UInt8]
    ) throws(InputError) -> FieldEnd {
        let line = input.line
        while let byte = try input.next() {
            switch byte {
            case delimiter: return .delimiter
            case UInt8(ascii: "\n"):
                if field.last == UInt8(ascii: "\r") { field.removeLast() }
                return .row
            case UInt8(ascii: "\""):
                throw input.error(line, "has a quote in an unquoted field; quote the whole field and double the quotes in it")
            default: try extend(&field, with: byte, before: delimiter, of: input, line)
            }
        }
        if field.last == UInt8(ascii: "\r") { field.removeLast() }
        return .row
    }

    private static func quotedField(
        of input: ByteInput,
        delimiter: UInt8,
        into field: inout [UInt8]
    ) throws(InputError) -> FieldEnd {
        let line = input.line
        _ = try input.next()
        while let byte = try input.next() {
            if byte == UInt8(ascii: "\"") {
                let closingLine = input.line
                switch try input.next() {
                case UInt8(ascii: "\""): break
                case delimiter: return .delimiter
                case nil, UInt8(ascii: "\n"): return .row
                case UInt8(ascii: "\r"):
                    guard let next = try input.next() else { return .row }
                    if next == UInt8(ascii: "\n") { return .row }
                    // If the quote is on the first line, the whole file has such lines.
                    if closingLine == 1, next == UInt8(ascii: "\"") { throw oldLineEnds(of: input) }
                    fallthrough
                default: throw input.error(closingLine, "has text after a closing quote; double the quotes within a quoted field")
                }
            }
            try extend(&field, with: byte, before: UInt8(ascii: "\""), of: input, line)
        }
        throw input.error(line, "a quoted field is not closed")
    }

    /// Appends a byte to a field that begins on `line`, and the bytes after it up to a quote or `stop`.
    private static func extend(
        _ field: inout [UInt8],
        with byte: UInt8,
        before stop: UInt8,
        of input: ByteInput,
        _ line: Int
    ) throws(InputError) {
        field.append(byte)
        input.append(to: &field, before: stop, UInt8(ascii: "\""))
        guard field.count <= longestField else { throw input.error(line, "has a field that is longer than \(longestField >> 20) MiB") }
    }
}
