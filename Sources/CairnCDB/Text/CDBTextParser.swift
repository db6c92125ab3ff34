/// Parses records from text that arrives in parts of any size.
///
/// ```swift
/// var parser = CDBTextParser(.records)
/// parser.append(Array("+1,2:a->bc\n\n".utf8))
/// parser.finish()
/// while let record = try parser.next() { print(record.key, record.value) }
/// ```
///
/// Keeps only the text that was appended and not yet read: a length stated in the text does not make the parser allocate memory.
public struct CDBTextParser: Sendable {
    private let format: CDBTextFormat
    private var text: [UInt8] = []
    /// The position of the next record.
    private var position = 0
    private var isFinished = false
    private var isAtEnd = false
    private var number = 0

    /// Creates a parser that has no text yet.
    public init(_ format: CDBTextFormat) { self.format = format }

    /// Adds the next part.
    public mutating func append(_ part: some Sequence<UInt8>) {
        if position > 1 << 16, position > text.count / 2 {
            text.removeFirst(position)
            position = 0
        }
        text.append(contentsOf: part)
    }

    /// Signals that no more text follows.
    public mutating func finish() { isFinished = true }

    /// Returns the next record, or `nil` if more text is needed, or at the end.
    ///
    /// - Throws: ``CDBError/Code/malformedText``; ``CDBError/Code/incompleteText`` if the text ends within a key or value. The message contains the
    ///   number of the record.
    public mutating func next() throws(CDBError) -> CDBTextRecord? {
        guard !isAtEnd else { return nil }
        return switch format {
        case .records: try nextRecord()
        case .map: nextLine()
        }
    }

    private func malformed() -> CDBError {
        CDBError(.malformedText, "record \(number + 1) of the text is malformed")
    }

    /// Handles the end of the text so far: an error if it is the end of the whole text.
    private func more() throws(CDBError) -> CDBTextRecord? {
        if isFinished { throw CDBError(.incompleteText, "the text ends within record \(number + 1)") }
        return nil
    }

    private mutating func nextRecord() throws(CDBError) -> CDBTextRecord? {
        var place = position
        guard place < text.count else {
            if isFinished { throw CDBError(.malformedText, "the empty line at the end of the text is missing") }
            return nil
        }
        guard text[place] == UInt8(ascii: "+") else {
            guard text[place] == UInt8(ascii: "\n") else { throw malformed() }
            isAtEnd = true
            return nil
        }
        place += 1
        guard let keyCount = try length(&place, until: UInt8(ascii: ",")), let valueCount = try length(&place, until: UInt8(ascii: ":"))
        else { return nil }
        guard keyCount + valueCount <= UInt64(UInt32.max) else { throw malformed() }
        guard let key = take(keyCount, &place) else { return try more() }
        guard try expect("->", &place) else { return nil }
        guard let value = take(valueCount, &place) else { return try more() }
        guard try expect("\n", &place) else { return nil }
        position = place
        number += 1
        return CDBTextRecord(key: Array(key), value: Array(value))
    }

    /// Parses a 32-bit number and the byte after it; returns `nil` if more text is needed.
    private func length(_ place: inout Int, until end: UInt8) throws(CDBError) -> UInt64? {
        var number: UInt64 = 0
        let start = place
        while true {
            guard place < text.count else {
                if isFinished { throw malformed() }
                return nil
            }
            let byte = text[place]
            place += 1
            if byte == end, place > start + 1 { return number }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { throw malformed() }
            number = number * 10 + UInt64(byte - UInt8(ascii: "0"))
            guard number <= UInt64(UInt32.max) else { throw malformed() }
        }
    }

    private func take(_ count: UInt64, _ place: inout Int) -> ArraySlice<UInt8>? {
        guard count <= UInt64(text.count - place) else { return nil }
        defer { place += Int(count) }
        return text[place..<place + Int(count)]
    }

    /// Skips fixed bytes; returns false if more text is needed.
    private func expect(_ bytes: StaticString, _ place: inout Int) throws(CDBError) -> Bool {
        let wanted = Array("\(bytes)".utf8)
        for byte in wanted {
            guard place < text.count else {
                if isFinished { throw malformed() }
                return false
            }
            guard text[place] == byte else { throw malformed() }
            place += 1
        }
        return true
    }

    private mutating func nextLine() -> CDBTextRecord? {
        while position < text.count {
            let end = text[position...].firstIndex(of: UInt8(ascii: "\n"))
            guard let end = end ?? (isFinished ? text.count : nil) else { return nil }
            let line = text[position..<end]
            position = min(end + 1, text.count)
            let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let content = line.drop(while: isBlank)
            guard let first = content.first, first != UInt8(ascii: "#") else { continue }
            let key = content.prefix { !isBlank($0) }
            number += 1
            return CDBTextRecord(key: Array(key), value: Array(content[key.endIndex...].drop(while: isBlank)))
        }
        return nil
    }
}
