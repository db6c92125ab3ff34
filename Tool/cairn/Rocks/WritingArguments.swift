import ArgumentParser
import CairnCore
import CairnRocks

/// The durability of writes.
struct DurabilityArguments: ParsableArguments {
    @Flag(help: "Return only once the data would survive a power failure.") var sync = false

    var options: WriteOptions { WriteOptions(durability: sync ? .synced : .buffered) }
}

/// For commands that write and may create what is missing.
struct WritingArguments: ParsableArguments {
    @Flag(help: "Create the database and the column family if they do not exist.") var create = false
    @OptionGroup var durability: DurabilityArguments

    var options: WriteOptions { durability.options }
}
