/// Reads JSON Lines with an object per line as trees. Blank lines are skipped.
package struct JSONTreeReader {
    private let input: ByteInput
    private var text: [UInt8] = []

    package init(input: ByteInput) { self.input = input }

    /// Returns the next object, and its line; `nil` at the end.
    package mutating func next() throws(InputError) -> (tree: JSONTree, line: Int)? {
        while true {
            let line = input.line
            guard try input.readLine(into: &text) else { return nil }
            if text.allSatisfy(JSONScanner.isBlank) { continue }
            guard isValidUTF8(text) else { throw input.error(line, "is not valid UTF-8") }
            do { return (try JSONTree(object: text), line) } catch { throw input.error(line, "\(error)") }
        }
    }
}
