// What is read of the sources: declarations and the comments above them, by the layout that `swift format` gives them.
import Foundation

/// A public property that can be set.
struct Property {
    let owner: String
    let name: String
    let type: String?
    /// The expression it begins with.
    let initial: String?
    /// RocksDB's name, if it is one of ``NamedOptions``.
    let optionName: String?
    let comment: String
}

/// A parameter of a public initializer.
struct Parameter {
    let owner: String
    let name: String
    let type: String
    let initial: String?
    let comment: String
}

/// A ready value of a type, or a function that makes one.
struct Preset {
    let owner: String
    let name: String
    let comment: String
}

/// A method that changes what an object was made with.
struct Setter {
    let owner: String
    let signature: String
}

struct Declarations {
    var properties: [Property] = []
    var parameters: [Parameter] = []
    var presets: [Preset] = []
    var setters: [Setter] = []
    var types: Set<String> = []

    mutating func read(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var owners: [(indent: Int, name: String)] = []
        var comment: [String] = []
        var index = 0
        while index < lines.count {
            let line = lines[index].replacing(/^( *)@\w+ (?=public )/) { $0.1 }
            index += 1
            let code = line.trimmingCharacters(in: .whitespaces)
            let indent = line.prefix { $0 == " " }.count
            if code.hasPrefix("///") {
                comment.append(String(code.dropFirst(3)))
                continue
            }
            if code.hasPrefix("@") { continue }
            defer { comment = [] }
            if code.isEmpty || code.hasPrefix("//") || code.hasPrefix("#") { continue }
            while let last = owners.last, indent <= last.indent { owners.removeLast() }
            if let match = line.firstMatch(of: /^ *(public )?(final )?(struct|class|extension|enum|protocol) ([A-Za-z.]+)/) {
                let outer = match.3 == "extension" ? nil : owners.last?.name
                let name = outer.map { "\($0).\(match.4)" } ?? String(match.4)
                owners.append((indent, name))
                if match.1 != nil { types.insert(name) }
                continue
            }
            guard let owner = owners.last, indent == owner.indent + 4, code.hasPrefix("public ") else { continue }
            let body = lines[index...].prefix {
                !($0.hasPrefix(String(repeating: " ", count: indent)) && $0.dropFirst(indent).first == "}")
            }
            readMember(code, of: owner.name, comment: comment, following: Array(body))
        }
    }

    private mutating func readMember(_ code: String, of owner: String, comment: [String], following: [String]) {
        let text = Self.paragraphs(comment)
        if let match = code.firstMatch(of: /^public static (?:var|let) (\w+)(?:: ([A-Za-z]+) \{| = ([A-Za-z]+)[ (])/) {
            let type = String(match.2 ?? match.3 ?? "")
            if type == owner.split(separator: ".").last.map(String.init) {
                presets.append(Preset(owner: owner, name: ".\(match.1)", comment: text))
            }
        } else if let match = code.firstMatch(of: /^public static func (\w+)\((.*)\) -> ([A-Za-z]+)/), match.3 == owner {
            let labels = match.2.split(separator: ",").compactMap { $0.split(separator: ":").first }
            let names = labels.map { "\($0.trimmingCharacters(in: .whitespaces)):" }.joined()
            presets.append(Preset(owner: owner, name: ".\(match.1)(\(names))", comment: text))
        } else if let match = code.firstMatch(of: /^public func (set\w+)\((\w+)[ :]/) {
            setters.append(Setter(owner: owner, signature: "\(match.1)(\(match.2):)"))
        } else if code.hasSuffix("}"), !code.contains(" = ") {
            return
        } else if let match = code.firstMatch(of: /^public var (\w+)(?:: (.+?))?(?: = (.+?))?( \{)?$/), match.1 != "settings" {
            let isComputed = match.3 == nil && match.4 != nil
            let optionName =
                isComputed ? following.lazy.compactMap { $0.firstMatch(of: /"([A-Za-z0-9_]+)"/)?.1 }.first.map(String.init) : nil
            let isSettable = following.contains { $0.hasPrefix("        set") || $0.hasPrefix("        nonmutating set") }
            if isComputed && optionName == nil && isSettable { setters.append(Setter(owner: owner, signature: String(match.1))) }
            if isComputed && (optionName == nil || !isSettable) { return }
            let property = Property(
                owner: owner,
                name: String(match.1),
                type: match.2.map(String.init),
                initial: match.3.map(String.init),
                optionName: optionName,
                comment: text
            )
            properties.append(property)
        } else if code.hasPrefix("public init(") || code.hasPrefix("public convenience init(") {
            readParameters([code] + following, of: owner, comment: comment)
        }
    }

    private mutating func readParameters(_ lines: [String], of owner: String, comment: [String]) {
        var texts: [String: String] = [:]
        var current: String?
        for line in comment {
            if let match = line.firstMatch(of: /^   - (\w+): (.*)$/) {
                current = String(match.1)
                texts[String(match.1)] = String(match.2)
            } else if line.hasPrefix("     "), let current {
                texts[current]! += " " + line.trimmingCharacters(in: .whitespaces)
            } else {
                current = nil
            }
        }
        guard !texts.isEmpty else { return }
        let signature = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
        guard let end = signature.firstRange(of: ") throws") ?? signature.firstRange(of: ") {") else { return }
        let list = signature[signature.firstIndex(of: "(")!...].dropFirst().prefix { _ in true }
        let inner = list[..<(end.lowerBound)]
        for part in inner.split(separator: ", ") {
            guard let match = part.firstMatch(of: /^ ?(\w+)(?: \w+)?: (.+?)(?: = (.+))?$/), let text = texts[String(match.1)],
                match.1 != "path"
            else { continue }
            parameters.append(
                Parameter(
                    owner: owner,
                    name: String(match.1),
                    type: String(match.2),
                    initial: match.3?.trimmingCharacters(in: .whitespaces),
                    comment: text
                )
            )
        }
    }

    /// The text of a comment without its examples, paragraphs apart from each other.
    private static func paragraphs(_ lines: [String]) -> String {
        var result = ""
        var isCode = false
        for line in lines.map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if line.hasPrefix("```") { isCode.toggle() }
            if isCode || line.hasPrefix("```") { continue }
            if line.hasPrefix("- ") || line.isEmpty { result += "\n" }
            result += (result.isEmpty || result.hasSuffix("\n") ? "" : " ") + line
        }
        return result
    }
}
