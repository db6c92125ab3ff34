import ArgumentParser
import CairnToolKit
import CairnTour

/// `cairn tour`: demonstrates the stores with real data.
struct TourCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour",
        abstract: "Demonstrate the stores with real data, results and times.",
        discussion: """
            Without a file, the tour uses the packages installed on this machine (/var/lib/dpkg/status), or else its time zones, or else built-in \
            data. A file can be JSON Lines, CSV, TSV or Debian control, as in 'cairn rocks import'; at most 100,000 records of it are used.
            """
    )

    @Argument(help: "A file of records; '-' is standard input.", completion: .file()) var file: String?
    @Option(help: "The format. (default: detected from the file's name or its first bytes)")
    var format: RecordFormat?
    @Option(help: "The field that contains the key.") var key: String?
    @Flag(help: "Keep the stores, and print where they are.") var keep = false

    func validate() throws {
        if file == nil && (format != nil || key != nil) { throw ValidationError("--format and --key need a file.") }
    }

    func run() throws { try Tour(file: file, format: format, key: key).run(keepsStores: keep) }
}
