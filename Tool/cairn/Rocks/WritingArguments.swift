import ArgumentParser
import CairnCore
import CairnRocks

/// How safe writes are.
struct DurabilityArguments: ParsableArguments {
    @Flag(help: "Return only when the data would survive a power cut.") var sync = false

    var options: WriteOptions { WriteOptions(durability: sync ? .synced : .buffered) }
}

/// How commands write that may make what is missing.
struct WritingArguments: ParsableArguments {
    @Flag(help: "Make the database and the column family if they do not exist.") var create = false
    @OptionGroup var durability: DurabilityArguments

    var options: WriteOptions { durability.options }
}
