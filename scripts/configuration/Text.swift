// Comments and expressions as text of the guide.
import Foundation

/// A file as text; ends the program if it cannot be read.
func text(_ url: URL) -> String {
    guard let text = try? String(contentsOf: url, encoding: .utf8) else {
        FileHandle.standardError.write(Data("configuration: cannot read \(url.path)\n".utf8))
        exit(1)
    }
    return text
}

extension String {
    /// The first sentence.
    var firstSentence: String {
        let paragraph = split(separator: "\n").first.map(String.init) ?? ""
        guard let end = paragraph.firstMatch(of: /\.(?: (?=[A-Z`])|$)/) else { return paragraph }
        return String(paragraph[..<end.range.lowerBound])
    }

    /// What stands behind "Default:", up to where the sentence goes on to other things.
    var statedDefault: String? {
        guard let match = firstMatch(of: /Default: ((?:[^.;]|\.(?=[0-9A-Za-z`]))+)/) else { return nil }
        return match.1.trimmingCharacters(in: .whitespaces).replacing(/^`(true|false|nil)`/) { $0.1 }
    }

    /// Markdown in place of DocC's links, for a cell of a table.
    var asCell: String {
        replacing(/``([^`]+)``/) { "`\($0.1.replacing("/", with: "."))`" }.replacing("|", with: "\\|")
    }

    /// The bare value that a default begins with, to be compared.
    var bareValue: String {
        var text = replacing("`", with: "")
        if let path = text.firstMatch(of: /^(?:[A-Za-z.]+\/)+(\w+)/) { text = String(path.1) }
        text = text.replacing(/(\d),(?=\d{3})/) { "\($0.1)" }
        if text.hasPrefix(".") { text.removeFirst() }
        if let path = text.firstMatch(of: /^(?:[A-Z]\w+\.)+(\w+)/) { text = String(path.1) }
        if text == "0" { text = "zero" }
        return text.lowercased().replacing(/\bseconds?\b/, with: "s").replacing(/\bmilliseconds?\b/, with: "ms")
    }
}

/// A Swift expression as the value that it is, if it is a simple one.
func value(of expression: String) -> String? {
    if ["true", "false", "nil"].contains(expression) { return expression }
    if expression.contains(/^-?[0-9][0-9_.]*$/) {
        let digits = expression.replacing("_", with: "")
        guard let number = Int(digits) else { return digits }
        return number >= 10_000 ? expression.replacing("_", with: ",") : digits
    }
    let units = [
        "kibibytes": "KiB", "mebibytes": "MiB", "gibibytes": "GiB", "seconds": "s", "milliseconds": "ms", "microseconds": "µs",
        "bytes": "bytes",
    ]
    if let match = expression.firstMatch(of: /^(?:ByteCount|Duration)?\.(\w+)\((\d+)\)$/), let unit = units[String(match.1)] {
        return "\(match.2) \(unit)"
    }
    if expression.hasSuffix(".zero") { return "zero" }
    if let match = expression.firstMatch(of: /^([A-Z]\w+)\(\)$/) { return "the defaults of `\(match.1)`" }
    if let match = expression.firstMatch(of: /^(?:[A-Z]\w*\.?)*\.?([a-z]\w*(?:\(.*\))?)$/) { return "`.\(match.1)`" }
    return nil
}

/// The type of a simple expression.
func type(of expression: String) -> String? {
    if ["true", "false"].contains(expression) { return "Bool" }
    if expression.contains(/^-?[0-9_]+$/) { return "Int" }
    if let match = expression.firstMatch(of: /^([A-Z][A-Za-z.]*?)(?:\.[a-z]\w*)?(?:\(.*\))?$/) { return String(match.1) }
    return nil
}
