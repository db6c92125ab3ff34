import ArgumentParser
import CairnToolKit
import CairnTour

/// `cairn tour`: the stores at work on real data.
struct TourCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour",
        abstract: "Show the stores at work on real data, with results and times.",
        discussion: """
            Without a file, the tour takes the packages of this machine (/var/lib/dpkg/status), else its time zones, else data of its own. With \
            one, that may be JSON Lines, CSV, TSV or Debian control, as for 'cairn rocks import'; at most 100,000 records of it are used.
            """
    )

    @Argument(help: "A file of records; '-' is standard input.", completion: .file()) var file: String?
    @Option(help: "The file's format. (default: by its name, else by its beginning)")
    var format: RecordFormat?
    @Option(help: "The field of the file whose content is the key.") var key: String?
    @Flag(help: "Keep the stores, and print where they are.") var keep = false

    func validate() throws {
        if file == nil && (format != nil || key != nil) { throw ValidationError("--format and --key are about a file; name one.") }
    }

    func run() throws { try Tour(file: file, format: format, key: key).run(keepsStores: keep) }
}
