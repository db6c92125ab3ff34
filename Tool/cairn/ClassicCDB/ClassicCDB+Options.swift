import CairnCDB
import CairnToolKit

extension ClassicCDB {
    /// The command line, parsed as by `getopt`: options can be combined, and placed anywhere before `--`.
    struct Options {
        enum Mode: Character { case query = "q", dump = "d", list = "l", create = "c", stats = "s", help = "h" }

        private(set) var mode = Mode.help
        private(set) var temporary: String?
        /// `nil` for the default permissions of a new file.
        private(set) var permissions: UInt32?
        /// The number of the record to print; 0 for all.
        private(set) var number = 0
        private(set) var isMap = false
        private(set) var warns = false
        private(set) var failsOnDuplicates = false
        private(set) var duplicates = CDBWriter.PutMode.add
        /// Arguments that are not options.
        private(set) var operands: [String] = []

        init(_ arguments: [String]) throws {
            var chosen: Mode?
            var rest = arguments[...]
            while let argument = rest.popFirst() {
                if argument == "--" {
                    operands += rest
                    break
                }
                guard argument.hasPrefix("-"), argument != "-" else {
                    operands.append(argument)
                    continue
                }
                var letters = argument.dropFirst()
                while let letter = letters.popFirst() {
                    if let mode = Mode(rawValue: letter) {
                        if mode == .help {
                            self.mode = .help
                            return
                        }
                        if let chosen, chosen != mode { throw ClassicCDB.misuse("different modes of operation requested") }
                        chosen = mode
                        continue
                    }
                    var value = ""
                    if "tnp".contains(letter) {
                        if !letters.isEmpty {
                            value = String(letters)
                            letters = ""
                        } else if let next = rest.popFirst() {
                            value = next
                        } else {
                            throw Self.misused("option requires an argument", letter)
                        }
                    }
                    try take(letter, value)
                }
            }
            guard let chosen else { throw ClassicCDB.misuse("no -q, -c, -d, -l or -s option specified") }
            mode = chosen
            try checkOperands()
            try checkPaths()
        }

        private mutating func take(_ letter: Character, _ value: String) throws {
            switch letter {
            case "t": temporary = value
            case "w": warns = true
            case "e":
                warns = true
                failsOnDuplicates = true
            case "r": duplicates = .replace
            case "u": duplicates = .insert
            case "0": duplicates = .zeroFill
            case "m": isMap = true
            case "p":
                guard let number = Self.number(value), (0...0o777).contains(number) else {
                    throw ClassicCDB.misuse("invalid permissions `\(value)'")
                }
                permissions = UInt32(number)
            case "n":
                guard let number = Self.number(value), number > 0 else { throw ClassicCDB.misuse("invalid record number `\(value)'") }
                self.number = number
            default: throw Self.misused("invalid option", letter)
            }
        }

        private func checkOperands() throws {
            switch mode {
            case .query:
                if operands.count < 2 { throw ClassicCDB.misuse("no database or key to query specified") }
                if operands.count > 2 { throw ClassicCDB.misuse("extra arguments in command line") }
            case .create: if operands.isEmpty { throw ClassicCDB.misuse("no database name specified") }
            case .dump, .list: if operands.count > 1 { throw ClassicCDB.misuse("extra arguments for dump/list") }
            case .stats: if operands.count > 1 { throw ClassicCDB.misuse("extra argument(s) for stats") }
            case .help: break
            }
        }

        /// Before anything is read or created.
        private func checkPaths() throws {
            let paths = (mode == .query ? operands.dropLast() : operands) + [temporary].compactMap { $0 }
            guard let path = paths.first(where: RawArguments.isForeign) else { return }
            throw ClassicCDB.failure(path, "not UTF-8, which is required of a path")
        }

        private static func misused(_ what: String, _ letter: Character) -> ClassicCDB.Exit {
            var exit = ClassicCDB.misuse("\(what) -- '\(letter)'")
            exit.status = 2
            return exit
        }

        /// A number as `strtol` reads it: octal after `0`, hexadecimal after `0x`, else decimal.
        private static func number(_ text: String) -> Int? {
            var digits = text[...].drop { $0 == " " || $0 == "\t" || $0 == "\n" }
            if text.isEmpty { return 0 }
            var sign = 1
            if let first = digits.first, first == "-" || first == "+" {
                sign = first == "-" ? -1 : 1
                digits.removeFirst()
            }
            guard let first = digits.first, first != "+", first != "-" else { return nil }
            let number: Int? =
                if digits.lowercased().hasPrefix("0x") {
                    digits.count > 2 && !"+-".contains(digits.dropFirst(2).first!) ? Int(digits.dropFirst(2), radix: 16) : nil
                } else if first == "0" {
                    Int(digits, radix: 8)
                } else {
                    Int(digits)
                }
            return number.map { sign * $0 }
        }
    }
}
