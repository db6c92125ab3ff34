import CairnCDB
import CairnCore

/// The texts of constant databases: any text is read or refused, alike in parts of any size, and what is read is written as the same.
public struct CDBTextFuzzTarget: FuzzTarget {
    public static let name = "cdb-text"

    public init() throws {}

    /// The first byte chooses the format and the size of parts; the rest is the text.
    public func check(_ bytes: RawSpan) throws {
        let all = [UInt8](copying: bytes)
        guard let choice = all.first.map(Int.init) else { return }
        let format = CDBTextFormat.allCases[choice % 2]
        let text = Array(all.dropFirst())
        let (records, error) = parse(text, format, parts: .max)
        let (again, sameError) = parse(text, format, parts: choice / 2 % 7 + 1)
        try require(records == again && error == sameError, "in parts, the text is read as \(again), \(String(describing: sameError))")

        var written: [UInt8] = []
        for record in records {
            record.key.withBytes { key in record.value.withBytes { value in format.append(key: key, value: value, to: &written) } }
        }
        written += format.end.utf8
        let (rewritten, none) = parse(written, format, parts: .max)
        try require(rewritten == records && none == nil, "what was written is read as \(rewritten), \(String(describing: none))")
    }

    private func parse(_ text: [UInt8], _ format: CDBTextFormat, parts size: Int) -> ([CDBTextRecord], CDBError.Code?) {
        var parser = CDBTextParser(format)
        var records: [CDBTextRecord] = []
        var start = 0
        do throws(CDBError) {
            while start < text.count {
                let end = size < text.count - start ? start + size : text.count
                parser.append(text[start..<end])
                start = end
                while let record = try parser.next() { records.append(record) }
            }
            parser.finish()
            while let record = try parser.next() { records.append(record) }
        } catch {
            return (records, error.code)
        }
        return (records, nil)
    }
}
