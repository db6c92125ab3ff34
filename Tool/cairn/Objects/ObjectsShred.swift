import ArgumentParser
import CairnRocksGraph
import CairnToolKit

extension Objects {
    struct Shred: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the objects of a group unreadable for good.",
            discussion: """
                Programs may give objects groups, such as the user who wrote them, and encrypt each group with a key of its own. This deletes the key: what the \
                objects were cannot be found out from the store's files any more. Their rows stay. Copies and backups of the files have the key.

                Prints how many objects the group had. No program may have the store open.
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
