/// Says that this process runs a line of `cairn shell`, which passes it on in an environment variable.
package enum ShellMode: String, Sendable {
    /// Lines are typed on a terminal.
    case terminal
    /// Lines come from a pipe or a file: standard input is not the command's.
    case script

    package static let variable = "CAIRN_SHELL"

    /// `nil` outside of the shell.
    package static let current = Terminal.variable(variable).flatMap { ShellMode(rawValue: $0) }
}
