import CairnToolKit

/// What is wrong with a file, and in which line.
package struct TableFault: Error, Hashable {
    package let line: Int
    package let message: String

    package init(_ line: Int, _ message: String) {
        self.line = line
        self.message = message
    }

    init(_ error: InputError) {
        let subject = !error.isPredicate ? "" : error.line == nil ? "the file " : "the row "
        self.init(error.line ?? 1, subject + error.message)
    }
}

/// What is wrong with a file: at least one fault, in the order of the lines.
package struct TableFaults: Error, Hashable {
    /// The maximum number of faults listed.
    static let most = 20

    package let faults: [TableFault]

    init(_ faults: [TableFault]) { self.faults = faults }

    /// As compilers write it, so that Xcode and editors show each at its line.
    package func lines(path: String) -> [String] { faults.map { "\(path):\($0.line): error: \($0.message)" } }
}

/// The faults found so far.
struct FaultList {
    private(set) var faults: [TableFault] = []
    var isFull: Bool { faults.count >= TableFaults.most }

    mutating func add(_ fault: TableFault) { if !isFull { faults.append(fault) } }

    mutating func add(_ line: Int, _ message: String) { add(TableFault(line, message)) }

    func check() throws(TableFaults) {
        guard faults.isEmpty else { throw TableFaults(faults.sorted { $0.line < $1.line }) }
    }
}

/// Text of a file as messages show it: short, on one line.
func shown(_ text: some StringProtocol) -> String {
    let short = text.count <= 40 ? String(text) : text.prefix(40) + "…"
    return "'\(EscapedText.string(Array(short.utf8)))'"
}
