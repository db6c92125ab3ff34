import ArgumentParser
import CairnRocksGraph
import CairnToolKit

extension Objects {
    struct Shred: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the objects of a group permanently unreadable.",
            discussion: """
                Programs can assign objects to groups, such as the user who wrote them, and encrypt each group with a separate key. This command deletes the \
                key of a group, so that its objects can no longer be read from the store's files. Their rows remain. Copies and backups of the files \
                still contain the key.

                Prints the number of objects in the group. No program may have the store open.
                """
        )

        @OptionGroup var store: ObjectsArguments
        @Argument(help: "The group.") var group: String

        func run() throws {
            let progress = Progress(total: nil)
            let count = try store.writing { try $0.shred(group) { progress.show(step: "\(Int($0 * 100)) %") } }
            progress.finish()
            try printing { try $0.writeLine("Shredded \(Numbers.counted(count, "object", "objects")).") }
        }
    }
}
