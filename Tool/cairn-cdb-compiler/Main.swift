import CairnTables
import CairnToolKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What ConstantDatabasePlugin runs for each file. Needs neither ArgumentParser nor swift-crypto.
@main
enum Main {
    private static let usage = """
        Usage: cairn-cdb-compiler FILE DATABASE CODE

        Makes a constant database and Swift code that reads it from FILE, whose name ends with .table.csv, .table.tsv or .table.jsonl.

        """

    static func main() {
        let arguments = Array(RawArguments.texts.dropFirst())
        if arguments.contains("--help") || arguments.contains("-h") { return OutputWriter.finish(with: usage, on: .output) }
        guard arguments.count == 3 else {
            OutputWriter.finish(with: usage, on: .error)
            exit(ExitStatus.usage.rawValue)
        }
        do {
            let compiler = try TableCompiler(source: arguments[0])
            let table = try compiler.table()
            try TableCompiler.write(table, to: arguments[1])
            try compiler.writeAccessor(of: table, to: arguments[2])
        } catch let faults as TableFaults {
            for line in faults.lines(path: arguments[0]) { OutputWriter.finish(with: line + "\n", on: .error) }
            exit(ExitStatus.file.rawValue)
        } catch {
            let failure = Failure(general: error) ?? Failure(.database, "\(error)".asSentence)
            OutputWriter.finish(with: "\(arguments[0]):1: error: \(failure.message)\n", on: .error)
            exit(failure.status.rawValue)
        }
    }
}
