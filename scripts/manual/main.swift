// Writes a manual page from the output of `cairn --experimental-dump-help` on standard input. The argument is the version.
import Foundation

struct Tool: Decodable { let command: Command }

struct Command: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let aliases: [String]?
    let arguments: [Argument]?
    let subcommands: [Command]?
}

struct Argument: Decodable {
    struct Name: Decodable {
        let kind: String
        let name: String
        var text: String { (kind == "long" ? "--" : "-") + name }
    }
    let kind: String
    let names: [Name]?
    let abstract: String?
    let valueName: String?
    let defaultValue: String?
    let allValues: [String]?
    let isOptional: Bool
    let isRepeating: Bool
    let shouldDisplay: Bool

    /// Whether every command has it; these are described only once.
    var isGeneral: Bool { names?.contains { ["help", "version"].contains($0.name) } ?? false }
}

/// `text` escaped for troff.
func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\\": result += "\\e"
        case "-": result += "\\-"
        case "'": result += "\\(aq"
        case "`": result += "\\(ga"
        case "^": result += "\\(ha"
        case "~": result += "\\(ti"
        case _ where scalar.value > 126: result += "\\[u\(String(scalar.value, radix: 16, uppercase: true).leftPadded(to: 4))]"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
}

extension String {
    func leftPadded(to count: Int) -> String { String(repeating: "0", count: max(0, count - self.count)) + self }
}

/// Prints paragraphs, lists of terms followed by two blanks, and indented examples.
func printText(_ text: String) {
    for paragraph in text.components(separatedBy: "\n\n") {
        let lines = paragraph.components(separatedBy: "\n")
        let isList = lines.contains { $0.firstMatch(of: /^ *\S+(?: \S+)*  +\S/) != nil }
        var isFirst = true
        for line in lines {
            if let match = line.firstMatch(of: /^ *(\S+(?: \S+)*)  +(\S.*)$/) {
                print(".TP\n.B \"\(escaped(match.1))\"\n\(escaped(match.2))")
            } else if isList, line.hasPrefix(" ") {
                print(escaped(line.drop { $0 == " " }))
            } else if isList, !isFirst {
                print(".TP\n.B \"\(escaped(line))\"")
            } else if line.hasPrefix(" ") {
                if isFirst { print(".PP") }
                print(".RS 4\n.nf\n\(escaped(line.drop { $0 == " " }))\n.fi\n.RE")
            } else {
                if isFirst { print(".PP") }
                print(escaped(line))
            }
            isFirst = false
        }
    }
}

func usage(_ argument: Argument) -> String {
    let value = "\\fI" + escaped(argument.valueName ?? "value") + "\\fR"
    let name = argument.names.map { names in escaped((names.first { $0.kind == "long" } ?? names[0]).text) }
    var text =
        switch argument.kind {
        case "positional": value
        case "flag": "\\fB\(name ?? "")\\fR"
        default: "\\fB\(name ?? "")\\fR \(value)"
        }
    if argument.isRepeating { text += " ..." }
    return argument.isOptional ? "[\(text)]" : text
}

func printArgument(_ argument: Argument) {
    let value = "\\fI" + escaped(argument.valueName ?? "value") + "\\fR"
    let names = (argument.names ?? []).map { "\\fB" + escaped($0.text) + "\\fR" }.joined(separator: ", ")
    print(".TP")
    print(argument.kind == "positional" ? value : argument.kind == "flag" ? names : names + " " + value)
    var text = argument.abstract ?? ""
    if let values = argument.allValues, !values.isEmpty { text += " Values: \(values.joined(separator: ", "))." }
    if let value = argument.defaultValue, !text.contains("(default") { text += " Default: \(value)." }
    print(escaped(text))
}

func printCommand(_ command: Command, _ path: String) {
    let name = path + " " + command.commandName
    let subcommands = (command.subcommands ?? []).filter { $0.commandName != "help" }
    print(subcommands.isEmpty ? ".SS \"\(escaped(name))\"" : ".SH \"\(escaped(name).uppercased())\"")
    print(escaped(command.abstract ?? ""))
    if let aliases = command.aliases, !aliases.isEmpty { print("Alias: \(escaped(aliases.joined(separator: ", "))).") }
    let arguments = (command.arguments ?? []).filter { $0.shouldDisplay && !$0.isGeneral }
    if subcommands.isEmpty {
        print(".PP\n\\fB\(escaped(name))\\fR " + arguments.map(usage).joined(separator: " "))
    }
    // Exit codes that all commands have in common are described only once.
    let discussion = command.discussion?.components(separatedBy: "\n\n").filter { $0 != exitCodes }.joined(separator: "\n\n") ?? ""
    if !discussion.isEmpty { printText(discussion) }
    for argument in arguments { printArgument(argument) }
    for subcommand in subcommands { printCommand(subcommand, name) }
}

let tool = try JSONDecoder().decode(Tool.self, from: FileHandle.standardInput.readDataToEndOfFile()).command
let version = CommandLine.arguments.dropFirst().first ?? ""
let paragraphs = (tool.discussion ?? "").components(separatedBy: "\n\n")
let exitCodes = paragraphs.first { $0.hasPrefix("Exit codes:") } ?? ""

print(".\\\" made by scripts/manual/run")
print(".TH \(tool.commandName.uppercased()) 1 \"\" \"Cairn \(escaped(version))\" \"User Commands\"")
print(".nh\n.ad l")
print(
    ".SH NAME\n\(tool.commandName) \\- \(escaped((tool.abstract ?? "").prefix(1).lowercased() + (tool.abstract ?? "").dropFirst().dropLast()))"
)
print(".SH SYNOPSIS\n\\fB\(tool.commandName)\\fR \\fIcommand\\fR [\\fIarguments\\fR] [\\fIoptions\\fR]")
print(".SH DESCRIPTION")
printText(paragraphs.filter { $0 != exitCodes }.joined(separator: "\n\n"))
print(".PP\nEvery command takes")
print(".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nShow help.")
print(".TP\n\\fB\\-\\-version\\fR\nShow the version.")
let commands = (tool.subcommands ?? []).filter { $0.commandName != "help" }
print(".SH COMMANDS")
for command in commands where command.subcommands?.isEmpty ?? true { printCommand(command, tool.commandName) }
for command in commands where !(command.subcommands?.isEmpty ?? true) { printCommand(command, tool.commandName) }
print(".SH \"EXIT STATUS\"")
printText(exitCodes.components(separatedBy: "\n").dropFirst().joined(separator: "\n"))
print(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf set, output to terminals has no colours.")
