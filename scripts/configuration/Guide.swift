// The guide as text, and what is wrong with what it is made from.
import Foundation

struct Guide {
    /// `Sources`.
    let sources: URL
    let declarations: Declarations
    var problems: [String] = []

    mutating func write() -> String {
        let sections = chapters.flatMap(\.sections)
        let missing = declarations.types.filter { $0.hasSuffix("Options") }.subtracting(sections.map(\.type)).subtracting(others)
        for name in missing.sorted() { problems.append("\(name) has no section in scripts/configuration/Sections.swift") }
        var guide = """
            # Configuration

            Every option of every store: what it does, what it is by default, whether it can change while the store is open.

            Made by `scripts/configuration/run` from the sources, and compared with them by `make lint`. Effects are the first sentences of the comments, which have the rest: units, limits, what to set
            it with. Tests set each option of RocksDB's, read it back, compare its default with the library's, and try whether it can change.


            """
        guide +=
            chapters.map { (chapter: Chapter) in
                let link = { (name: String) in "[\(name)](#\(name.lowercased().replacing(".", with: "")))" }
                return "**\(chapter.title)**: " + chapter.sections.map { link($0.type) }.joined(separator: " · ")
            }.joined(separator: "\n\n") + "\n"
        for chapter in chapters {
            guide += "\n## \(chapter.title)\n" + (chapter.intro.isEmpty ? "" : "\n\(chapter.intro)\n")
            for section in chapter.sections { guide += "\n" + contents(of: section) }
        }
        return guide
    }

    /// Whether an option can change while the store is open, as the guide says it; `nil` where that is no question.
    private mutating func changes(_ property: Property, _ change: Change) -> String? {
        switch change {
        case .comments:
            let comment = property.comment.lowercased()
            let match = comment.firstMatch(of: /changeable while open(, for [a-z ]+)?/)
            if property.optionName == nil {
                if match != nil { problems.append("\(property.owner).\(property.name) is said to be changeable, and objects are not") }
                return "no"
            }
            if let match { return "yes\(match.1 ?? "")" }
            if !comment.contains("fixed while open") {
                problems.append("\(property.owner).\(property.name) does not say whether it can change")
            }
            return "no"
        case .heldBy(let owner, let name):
            guard let holder = declarations.properties.first(where: { $0.owner == owner && $0.name == name }) else {
                problems.append("\(owner).\(name) is gone")
                return nil
            }
            let section = chapters.flatMap(\.sections).first { $0.type == owner }
            return section.flatMap { changes(holder, $0.change) }
        case .live: return "yes"
        case .fixed, .constant, .perCall, .setters: return nil
        }
    }

    private mutating func row(_ property: Property, _ change: Change) -> [String] {
        let name = "\(property.owner).\(property.name)"
        let expressionType = property.initial.flatMap(type(of:))
        guard let type = property.type ?? expressionType else {
            problems.append("the type of \(name) is not written down")
            return []
        }
        let stated = property.comment.statedDefault
        let isNested = declarations.properties.contains { $0.owner == type && $0.optionName != nil } && property.optionName != nil
        var hasInitial = property.initial != nil || (property.optionName == nil && type.hasSuffix("?"))
        // What others hold is made by its own initializer.
        if property.initial == nil, case .heldBy = change { hasInitial = false }
        let initial = value(of: property.initial ?? (hasInitial ? "nil" : "?"))
        if let stated, let initial, !stated.bareValue.hasPrefix(initial.bareValue), stated.bareValue != "nobody" {
            problems.append("the comment of \(name) says '\(stated)', and it begins as '\(initial)'")
        }
        var shown = stated ?? initial ?? (isNested ? "the defaults of `\(type)`" : nil)
        if shown == nil, case .heldBy = change { shown = "" }
        guard let shown else {
            problems.append("\(name) does not say its default")
            return []
        }
        let optionName = property.optionName.map { "<br>`\($0)`" } ?? ""
        var cells = ["`\(property.name)`\(optionName)", "`\(type)`", shown]
        if let changes = changes(property, change) { cells.append(changes) }
        return cells + [property.comment.firstSentence]
    }

    private func table(_ heads: [String], _ rows: [[String]]) -> String {
        let lines = [heads, heads.map { _ in "---" }] + rows.map { $0.map(\.asCell) }
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n") + "\n"
    }

    private mutating func contents(of section: Section) -> String {
        var result = "### \(section.type)\n\n"
        var note = section.intro
        switch section.change {
        case .comments, .live, .heldBy: break
        case .fixed: note += " Fixed while open."
        case .constant(let file):
            note += " Fixed while open."
            if !text(sources.appendingPathComponent(file)).contains("let options: \(section.type)\n") {
                problems.append("\(file) does not keep its \(section.type) in a constant")
            }
        case .perCall: note += " Given with each call."
        case .setters:
            let setters = declarations.setters.filter { $0.owner == section.type }.map { "`\($0.signature)`" }
            note +=
                setters.isEmpty
                ? " Fixed while it exists."
                : " While it exists, \(setters.joined(separator: ", ")) \(setters.count == 1 ? "changes" : "change") it."
        }
        if !section.note.isEmpty { note += " \(section.note)" }
        if !note.isEmpty { result += note.trimmingCharacters(in: .whitespaces) + "\n\n" }
        let properties = declarations.properties.filter { $0.owner == section.type }
        let parameters = declarations.parameters.filter { $0.owner == section.type }
        if !properties.isEmpty {
            let rows = properties.map { row($0, section.change) }.filter { !$0.isEmpty }
            let isNamed = properties.contains { $0.optionName != nil }
            let hasChange = rows.first?.count == 5
            result += table(
                [isNamed ? "option, RocksDB's name" : "option", "type", "default"] + (hasChange ? ["while open"] : []) + ["effect"],
                rows
            )
        } else if !parameters.isEmpty {
            let rows = parameters.map { parameter in
                [
                    "`\(parameter.name)`", "`\(parameter.type)`", parameter.initial.map { value(of: $0) ?? "`\($0)`" } ?? "",
                    parameter.comment.firstSentence,
                ]
            }
            result += table(["parameter", "type", "default", "effect"], rows)
        } else {
            problems.append("there is nothing in \(section.type)")
        }
        let presets = declarations.presets.filter { $0.owner == section.type }
        if !presets.isEmpty {
            result += "\n" + table(["ready made", ""], presets.map { ["`\($0.name)`", $0.comment.firstSentence] })
        }
        return result
    }
}
