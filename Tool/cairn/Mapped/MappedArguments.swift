import ArgumentParser
import CairnCore
import CairnMapped
import CairnMappedEncryption
import CairnToolKit

/// The store.
struct MappedArguments: ParsableArguments {
    @Argument(help: "The file of the store.", completion: .file()) var path: String
    @OptionGroup var key: KeyArguments

    /// Opens it read-only.
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
        return try open(options, hint: "Check the path; 'set' and 'import' create a store with --create.")
    }

    private func open(_ options: MappedStoreOptions, hint: String = "Check the path.") throws -> MappedStore {
        var options = options
        options.cipher = try key.read().map { try MappedEncryption($0) }
        do throws(MappedStoreError) {
            let store = try MappedStore(path: path, options: options)
            // From now on, the file is intact without what was lost: no other command will say so.
            if !options.readOnly { warn(store.openReport) }
            return store
        } catch {
            guard error.code == .notFound, options.readOnly || !options.createIfMissing else { throw error }
            throw Failure(.database, "There is no mapped store at '\(path)'.", hint: hint)
        }
    }
}

extension MappedArguments {
    /// Says what was lost.
    private func warn(_ report: MappedOpenReport) {
        guard !report.isClean else { return }
        for damage in Damage.all(report, nil) { Failure.warn("'\(path)' was damaged: \(damage.what).") }
        if report.missingRange != nil || !report.damagedRanges.isEmpty {
            Failure.hint("The values there are lost; 'cairn mapped restore' recovers them from a backup.")
        }
    }
}

/// For commands that write.
struct MappedWritingArguments: ParsableArguments {
    @Flag(help: "Create the store if it does not exist.") var create = false
    @OptionGroup var durability: MappedDurabilityArguments
}

/// The durability of writes.
struct MappedDurabilityArguments: ParsableArguments {
    @Flag(help: "Return only once the change would survive a power failure.") var sync = false

    var durability: Durability { sync ? .synced : .buffered }
}
