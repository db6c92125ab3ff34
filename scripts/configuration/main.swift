// Writes docs/generated/configuration.md, a list of all options, from their declarations and comments, or with --check compares it with the one there.
//
// It fails where a comment and an expression name different defaults, where a comment does not say whether an option can change, and where there are
// options that no section has.
import Foundation

let arguments = CommandLine.arguments
let root = URL(fileURLWithPath: arguments.count > 1 ? arguments[1] : ".")
let sources = root.appendingPathComponent("Sources")
let page = root.appendingPathComponent("docs/generated/configuration.md")
var declarations = Declarations()
let modules = [
    "CairnRocks", "CairnCDB", "CairnMapped", "CairnRocksEngine", "CairnSQLiteEngine", "CairnPostgresEngine", "CairnEtcdEngine", "CairnGraph",
]
for module in modules {
    let folder = sources.appendingPathComponent(module)
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    // A type's own file before those of its topics.
    let order = { (file: URL) in file.path.replacing(".swift", with: "") }
    for file in files.filter({ $0.pathExtension == "swift" }).sorted(by: { order($0) < order($1) }) { declarations.read(text(file)) }
}

var guide = Guide(sources: sources, declarations: declarations)
let contents = guide.write()
guard guide.problems.isEmpty else {
    FileHandle.standardError.write(Data(guide.problems.map { "configuration: \($0)\n" }.joined().utf8))
    exit(1)
}
if arguments.contains("--check") {
    guard text(page) == contents else {
        FileHandle.standardError.write(Data("configuration: docs/generated/configuration.md is not what `make configuration` writes; run it\n".utf8))
        exit(1)
    }
} else {
    try Data(contents.utf8).write(to: page)
}
let count = contents.split(separator: "\n").count { $0.hasPrefix("| `") }
print("configuration: \(count) options of \(chapters.flatMap(\.sections).count) kinds")
