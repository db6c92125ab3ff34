import ArgumentParser
import CairnCore
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Ingest: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add sorted files (SST) to a column family: all of them, or none if it fails.",
            discussion: """
                The files must have been made by RocksDB's SstFileWriter with the comparator of the column family. Their entries replace existing \
                entries with the same keys; if files overlap, later ones win. All checksums are compared first: a damaged file is refused.
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
                do throws(FileError) { try FileSystem.system.refuseSpecialFile(at: file) } catch { throw Failure(.file, error.sentence) }
            }
            var options = IngestOptions(movesFiles: move)
            // What is damaged would be found only once the entries are read.
            options.verifiesChecksums = true
            try store.writing(create: nil) { family in
                do {
                    try family.ingest(files, options: options)
                } catch let error as RocksError where error.code == .corruption {
                    // The file is damaged, not the database.
                    throw Failure(.file, Failure(error)?.message ?? error.message)
                }
            }
            try printing { output in
                if json { return try output.write(.object([("files", .int(Int64(files.count)))])) }
                try output.writeLine("Added \(Numbers.counted(files.count, "file", "files")).")
            }
        }
    }
}
