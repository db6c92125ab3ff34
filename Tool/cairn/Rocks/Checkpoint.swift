import ArgumentParser
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Checkpoint: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a copy of the database that can be opened separately.",
            discussion: "On the same file system, files are hard-linked instead of copied, which takes no space and little time."
        )

        @OptionGroup var database: WritableDatabaseArguments
        @Argument(help: "The directory of the copy. It must not exist yet.", completion: .directory) var destination: String
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            if destination.isEmpty { throw Failure(.database, "The path of the copy is empty.") }
            let database = try database.openForWriting(create: false)
            let number = try database.makeCheckpoint(at: destination)
            try database.close()
            try printing { output in
                if json {
                    return try output.write(.object([("path", .string(destination)), ("sequence_number", .unsigned(number))]))
                }
                try output.writeLine("Copied to '\(destination)', up to sequence number \(Numbers.grouped(number)).")
            }
        }
    }
}
