/// What ArgumentParser says about a command line, for a line of the shell: without `cairn`, the group of the command and the path.
enum ShellMessage {
    static func text(_ message: String) -> String {
        message
            .replacing(/See 'cairn (?:\w+ )?([\w-]+) --help'/) { "See 'help \($0.1)'" }
            .replacing(/Usage: cairn (?:\w+ )?([\w-]+)( \[<options>\])? <\w+>/) { "Usage: \($0.1)\($0.2 ?? "")" }
    }
}
