import ArgumentParser
import CairnCore
import CairnMapped
import CairnMappedEncryption
import CairnToolKit

/// Which store.
struct MappedArguments: ParsableArguments {
    @Argument(help: "The store's file.", completion: .file()) var path: String
    @OptionGroup var key: KeyArguments

    /// Opens it so that nothing is written to it.
    func openForReading() throws -> MappedStore {
        var options = MappedStoreOptions()
        options.readOnly = true
        return try open(options)
    }

    /// Opens it for writing; it must exist unless `create`.
    func openForWriting(create: Bool = false, durability: Durability = .buffered) throws -> MappedStore {
        var options = MappedStoreOptions()
        options.createIfMissing = create
        options.durability = durability
        return try open(options, hint: "Check the path; 'set' and 'import' make a store with --create.")
    }

    private func open(_ options: MappedStoreOptions, hint: String = "Check the path.") throws -> MappedStore {
        var options = options
        options.cipher = try key.read().map { try MappedEncryption($0) }
        do throws(MappedStoreError) {
            return try MappedStore(path: path, options: options)
        } catch {
            guard error.code == .notFound, options.readOnly || !options.createIfMissing else { throw error }
            throw Failure(.database, "There is no mapped store at '\(path)'.", hint: hint)
        }
    }
}

/// How commands write.
struct MappedWritingArguments: ParsableArguments {
    @Flag(help: "Make the store if it does not exist.") var create = false
    @OptionGroup var durability: MappedDurabilityArguments
}

/// How safe writes are.
struct MappedDurabilityArguments: ParsableArguments {
    @Flag(help: "Return only when the change would survive a power cut.") var sync = false

    var durability: Durability { sync ? .synced : .buffered }
}
