import ArgumentParser
import CairnCore
import CairnRocksGraph
import CairnToolKit

extension Objects {
    struct Compact: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Rewrite the files to reclaim the space of overwritten and deleted objects.",
            discussion: """
                Stores reuse that space by themselves; do it by hand after deleting a lot. Prints the size of the files before and after.

                A directory may not be open in another program. A file of SQLite may: saves of other programs wait, and fail if they wait for too long. If a \
                program still reads former data, the file shrinks later. The disk must have room for another copy of a directory, or for two of the data that is \
                left in a file of SQLite: one beside the file, and one in the directory for temporary files (TMPDIR). PostgreSQL and etcd do this by themselves.
                """
        )

        @OptionGroup var store: ObjectsArguments
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            let location = try store.location()
            let before = location.size ?? .zero
            let progress = Progress(total: nil)
            progress.show(step: "compacting")
            try store.writing { try $0.compact() }
            progress.finish()
            let after = location.size ?? .zero
            try printing { output in
                if json { return try output.write(.object([("bytes_before", .int(before.bytes)), ("bytes_after", .int(after.bytes))])) }
                try output.writeLine("\(before) before, \(after) after.")
            }
        }
    }
}
