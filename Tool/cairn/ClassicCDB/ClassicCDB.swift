import CairnCDB
import CairnCore
import CairnToolKit

/// The command line of tinycdb's program, `cdb -c`, `-d`, `-l`, `-q`, `-s`, with the same output, messages and exit codes, for scripts.
struct ClassicCDB {
    /// The end of the program, with its exit code and message.
    struct Exit: Error {
        var status: Int32
        var message = ""
    }

    let output = OutputWriter(.output)
    let errors = OutputWriter(.error)
    let options: Options

    /// Runs the command if `arguments`, which begin with the program's name, have this form, and returns its exit code; otherwise returns `nil`.
    static func run(_ arguments: [String]) -> Int32? {
        guard arguments.count >= 3, arguments[1] == "cdb" else { return nil }
        let rest = Array(arguments.dropFirst(2))
        func isOption(_ argument: String) -> Bool { argument.hasPrefix("-") && !argument.hasPrefix("--") && argument != "-" }
        // Options may follow the operands; the first operand is then not the name of a command.
        let isClassic = isOption(rest[0]) || !CDB.commandNames.contains(rest[0]) && rest.contains(where: isOption)
        return isClassic ? run(options: rest) : nil
    }

    private static func run(options arguments: [String]) -> Int32 {
        let errors = OutputWriter(.error)
        var status: Int32 = 0
        do {
            let command = ClassicCDB(options: try Options(arguments))
            do {
                status = try command.run()
                try command.output.flush()
            } catch let exit as Exit {
                // Output printed before a failure is kept.
                try command.output.flush()
                throw exit
            }
        } catch let exit as Exit {
            try? errors.write(RawArguments.bytes(exit.message))
            try? errors.flush()
            status = exit.status
        } catch OutputError.closed {
            status = 0
        } catch let OutputError.failed(reason) {
            try? errors.write("cdb: unable to write: \(reason)\n")
            try? errors.flush()
            status = 111
        } catch {
            try? errors.write("cdb: \(error)\n")
            try? errors.flush()
            status = 111
        }
        return status
    }

    private func run() throws -> Int32 {
        switch options.mode {
        case .help:
            try output.write(Self.help)
            return 0
        case .query: return try query()
        case .create: return try create()
        case .dump, .list: return try dump()
        case .stats: return try stats()
        }
    }

    private static let help = """
        cdb: Constant DataBase (CDB) tool version 0.78. Usage is:
         query:  cdb -q [-m] [-n recno|-a] cdbfile key
         dump:   cdb -d [-m] [cdbfile|-]
         list:   cdb -l [-m] [cdbfile|-]
         create: cdb -c [-m] [-wrue0] [-t tempfile|-] [-p perms] cdbfile [infile...]
         stats:  cdb -s [cdbfile|-]
         help:   cdb -h

        """

    /// A system error.
    static func failure(_ what: String, _ reason: String) -> Exit { Exit(status: 111, message: "cdb: \(what): \(reason)\n") }
    /// An invalid command line.
    static func misuse(_ what: String?) -> Exit {
        Exit(status: 2, message: (what.map { "cdb: \($0)\n" } ?? "") + "cdb: try `cdb -h' for help\n")
    }
    /// The system's message for a malformed file.
    static let protocolError = "Protocol error"

    /// The system's message for the cause of an error.
    static func reason(_ error: CDBError) -> String {
        let cause = (error.cause as? FileError)?.cause ?? error.cause
        if let call = cause as? SystemCallError { return call.text }
        return switch error.code {
        case .corruption: protocolError
        case .tooLarge: "Cannot allocate memory"
        default: error.message
        }
    }
}
