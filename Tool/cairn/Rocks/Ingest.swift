import ArgumentParser
import CairnCore
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Ingest: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take sorted files (SST) into a column family, all or none.",
            discussion: """
                The files are those that RocksDB's SstFileWriter makes, in the order of the column family. Their entries replace what has the same \
                key; where files overlap, later ones win.
                """
        )

        @OptionGroup var store: WritableStoreArguments
        @Argument(help: "The files.", completion: .file(extensions: ["sst"])) var files: [String]
        @Flag(help: "Move the files into the database instead of copying them.") var move = false
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            for file in files {
                do throws(SystemCallError) {
                    _ = try FileSystem.system.stat(file)
                } catch {
                    throw Failure(.file, "'\(file)' cannot be read: \(error.text).")
                }
            }
            try store.writing(create: nil) { family in
                do {
                    try family.ingest(files, options: IngestOptions(movesFiles: move))
                } catch let error as RocksError where error.code == .corruption {
                    // The file is damaged, not the database.
                    throw Failure(.file, Failure(error)?.message ?? error.message)
                }
            }
            try printing { output in
                if json { return try output.write(.object([("files", .int(Int64(files.count)))])) }
                try output.writeLine("Took in \(Numbers.counted(files.count, "file", "files")).")
            }
        }
    }
}
