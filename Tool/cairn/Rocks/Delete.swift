import ArgumentParser
import CairnRocks

extension Rocks {
    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove keys: all of them, or none if it fails.",
            discussion: "Keys that do not exist are ignored."
        )

        @OptionGroup var store: WritableStoreArguments
        @Argument(help: "The keys.") var keys: [ByteArgument]
        @OptionGroup var form: KeyForm
        @OptionGroup var durability: DurabilityArguments

        func run() throws {
            let form = form.form(of: store.columnFamily, form.remembered(in: store.database.path))
            let keys = try keys.map(form.key)
            try store.writing(create: nil) { family in
                try family.write(options: durability.options) { batch in
                    for key in keys { batch.delete(key) }
                }
            }
        }
    }
}
