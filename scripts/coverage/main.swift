// Writes the page about which parts of RocksDB's C++ headers CairnRocks wraps, or with --check compares it with the one there.
//
// A name counts as wrapped if the shim mentions it, or if CairnRocks sets it as an option by its name. The reasons why the rest is left out are in
// left-out.tsv: header, name (* for what no other line names; - for the whole header, whose common names prove nothing), reason.
import Foundation

struct Reason {
    let header: String
    let name: String
    let text: String
}

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("coverage: \(message)\n".utf8))
    exit(1)
}

let arguments = CommandLine.arguments
guard arguments.count >= 4 else { fail("usage: coverage ROOT HEADERS VERSION [--check]") }
let root = URL(fileURLWithPath: arguments[1])
let headers = URL(fileURLWithPath: arguments[2])
let version = arguments[3]
let page = root.appendingPathComponent("Sources/CairnRocks/CairnRocks.docc/Coverage.md")

func text(_ url: URL) -> String {
    guard let text = try? String(contentsOf: url, encoding: .utf8) else { fail("cannot read \(url.path)") }
    return text
}

func files(in folder: URL, _ extensions: Set<String>) -> [URL] {
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    return all.filter { extensions.contains($0.pathExtension) }.sorted { $0.path < $1.path }
}

// What the shim mentions outside of comments, and the options that CairnRocks names in quotes.
var used: Set<String> = []
for file in files(in: root.appendingPathComponent("Sources/CRocks"), ["cpp", "hpp"]) {
    for line in text(file).split(separator: "\n") {
        let code = line.range(of: "// ").map { line[..<$0.lowerBound] } ?? line
        used.formUnion(code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    }
}
for file in files(in: root.appendingPathComponent("Sources/CairnRocks"), ["swift"]) {
    for (index, part) in text(file).split(separator: "\"", omittingEmptySubsequences: false).enumerated() where index % 2 == 1 {
        used.formUnion(part.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    }
}

var reasons: [Reason] = []
for line in text(root.appendingPathComponent("scripts/coverage/left-out.tsv")).split(separator: "\n") where !line.hasPrefix("#") {
    let columns = line.split(separator: "\t").map(String.init)
    guard columns.count == 3 else { fail("left-out.tsv: not three columns: \(line)") }
    for name in columns[1].split(separator: " ") { reasons.append(Reason(header: columns[0], name: String(name), text: columns[2])) }
}

var problems: [String] = []
var rows: [String] = []
var wrappedCount = 0
var totalCount = 0
var seen: Set<String> = []
for file in files(in: headers, ["h"]) {
    let header = String(file.path.dropFirst(headers.path.count + 1))
    seen.insert(header)
    let names = Header(text: text(file)).names
    let isLeftOut = reasons.contains { $0.header == header && $0.name == "-" }
    let wrapped = isLeftOut ? [] : names.intersection(used).sorted()
    var left = isLeftOut ? names : names.subtracting(used)
    var explained: [(names: [String], reason: String)] = []
    for reason in reasons where reason.header == header && !["*", "-"].contains(reason.name) {
        if left.remove(reason.name) == nil {
            problems.append(
                "left-out.tsv explains \(header) \(reason.name), which \(names.contains(reason.name) ? "is wrapped" : "does not exist")"
            )
        } else if explained.last?.reason == reason.text {
            explained[explained.count - 1].names.append(reason.name)
        } else {
            explained.append(([reason.name], reason.text))
        }
    }
    let rest = reasons.first { $0.header == header && ["*", "-"].contains($0.name) }
    if let rest {
        if left.isEmpty { problems.append("left-out.tsv explains the rest of \(header), of which there is none") }
        explained.append((left.sorted(), rest.text))
    } else if !left.isEmpty {
        problems.append("\(header): neither wrapped nor explained in left-out.tsv: \(left.sorted().joined(separator: " "))")
    }
    wrappedCount += wrapped.count
    totalCount += names.count
    func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: " ") }
    let leftText = explained.map { item in
        // A whole header left out needs no list of its names.
        wrapped.isEmpty && explained.count == 1 ? "all: \(item.reason)" : "\(list(item.names)): \(item.reason)"
    }
    rows.append("| `\(header)` | \(list(wrapped)) | \(leftText.joined(separator: "<br>")) |")
}
for reason in reasons where !seen.contains(reason.header) { problems.append("left-out.tsv names \(reason.header), which is not there") }

let percent = totalCount == 0 ? 0 : 100 * wrappedCount / totalCount
let contents = """
    # Coverage of RocksDB

    Which names of the C++ library's public headers CairnRocks wraps, and why it leaves out the rest.

    Written by `make coverage` from the headers of RocksDB \(version): \(seen.count) headers, \(wrappedCount) of \(totalCount) names (\(percent) %).
    A name counts as wrapped if the shim uses it, or if CairnRocks sets the option of that name; constructors, operators and
    names that are not public are not counted.

    | header | wrapped | left out |
    | --- | --- | --- |
    \(rows.joined(separator: "\n"))

    """

if !problems.isEmpty { fail(problems.joined(separator: "\ncoverage: ")) }
if arguments.contains("--check") {
    guard text(page) == contents else { fail("Coverage.md is not what `make coverage` writes; run it") }
} else {
    try Data(contents.utf8).write(to: page)
}
print("coverage: \(wrappedCount) of \(totalCount) names in \(seen.count) headers of RocksDB \(version) are wrapped")
