import ArgumentParser
import CairnCore
import CairnObjectsBNR
import CairnRocksGraph
import CairnToolKit

extension Objects {
    struct ImportBNR: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import-bnr",
            abstract: "Import a directory of BNRPersistence: all objects, or none if it fails.",
            discussion: """
                The files of BNRPersistence do not describe their contents, so a layout is needed: a JSON file that lists the fields of each class \
                in the order in which it wrote them. See docs/formats/bnrpersistence.md.

                Missing classes are created from the layout; existing ones must have the same properties. Objects keep their rows if the store has \
                no objects of the class yet; if it has, --append is needed, so that nothing is imported twice by mistake. References to missing objects are omitted and reported.

                If a file is damaged or an object does not match the layout, nothing is stored; the command reports what can be read and exits \
                with 1. With --salvage, what can be read is stored, even if a class has no file. --dry-run never stores anything.
                """
        )

        @Argument(help: "The directory that BNRPersistence wrote.", completion: .directory) var directory: String
        @Argument(help: "The directory of the store. It will not be encrypted; use 'rekey' for that afterwards.", completion: .directory)
        var path: String
        @Option(help: "The layout.", completion: .file()) var layout: String
        @Option(
            help: "A file whose first line is the passphrase (the encryptionKey) of the old store; '-' is standard input.",
            completion: .file()
        )
        var passphraseFile: String?
        @OptionGroup var password: PasswordArguments
        @OptionGroup var wait: WaitArguments
        @Flag(help: "Create the store if it does not exist.") var create = false
        @Flag(help: "Store what can be read, even if some of it cannot.") var salvage = false
        @Flag(help: "Add the objects to those of the same classes that the store has.") var append = false
        @Flag(help: "Only report what would be stored. The store need not exist.") var dryRun = false
        @Flag(help: "Return only once the objects would survive a power failure.") var sync = false
        @Flag(help: "Print the result as a JSON object.") var json = false

        func validate() throws { try password.validate(for: path) }

        func run() throws {
            let importer = try BNRImporter(
                path: directory,
                layout: readLayout(),
                passphrase: passphraseFile.map(KeyFile.passphrase),
                salvaging: salvage
            )
            let added = try importer.layout.catalog()
            let location = try wait.applied(to: password.location(path))
            // `nil` if there is no store.
            let existing = try withStore(at: location, \.catalog)
            guard existing != nil || create || dryRun else {
                throw Failure(.database, "There is no object store at '\(path)'.", hint: "Check the path; --create creates the store.")
            }
            if !append, let occupant = try occupant(of: added, at: location) {
                throw Failure(
                    .database,
                    "'\(path)' already has \(occupant).",
                    hint: "If they are not those of an earlier import, --append adds the imported ones."
                )
            }
            let checked = try importer.check(for: Self.merged(existing, added))
            if dryRun || !checked.isWhole && !salvage { return try finish(checked, isStored: false) }
            var options = ObjectStoreOptions()
            options.createIfMissing = create
            options.durability = sync ? .synced : .buffered
            let opened = try location.open(adding: added, options)
            let report = try importer.importObjects(into: opened, salvaging: salvage)
            try opened.close()
            try finish(report, isStored: true)
        }

        private func readLayout() throws -> BNRLayout {
            let bytes = try ByteInput(path: layout).readAll()
            do throws(BNRError) { return try BNRLayout(json: bytes) } catch {
                throw Failure(.file, "\(layout): \(error.message).", hint: "See docs/formats/bnrpersistence.md for the layout format.")
            }
        }

        /// Calls `body` with the store, open for reading; returns `nil` if there is none.
        private func withStore<Result>(at location: StoreLocation, _ body: (ObjectStore) throws -> Result) throws -> Result? {
            var options = ObjectStoreOptions()
            options.readOnly = true
            options.createIfMissing = false
            let store: ObjectStore
            do throws(ObjectStoreError) { store = try location.open(options) } catch {
                guard error.code == .notFound else { throw error }
                return nil
            }
            let result = try body(store)
            try store.close()
            return result
        }

        /// What the store has already of what is imported: objects of a class or, if there are no classes, named values.
        private func occupant(of added: ObjectCatalog, at location: StoreLocation) throws -> String? {
            try withStore(at: location) { store in
                try store.inspect { inspector in
                    // A directory may have names only.
                    var hasNames = false
                    if added.classes.isEmpty {
                        try inspector.forEachName { _ in
                            hasNames = true
                            return false
                        }
                    }
                    if hasNames { return "named values" }
                    let occupied = try store.catalog.classes.first { try added[$0.name] != nil && inspector.count($0) > 0 }
                    return occupied.map { "objects of the class \($0.name)" }
                }
            } ?? nil
        }

        /// The classes that the store would have afterwards.
        private static func merged(_ catalog: ObjectCatalog?, _ more: ObjectCatalog) -> ObjectCatalog {
            var classes = catalog?.classes ?? []
            for var added in more.classes where catalog?[added.name] == nil {
                added.number = UInt16(truncatingIfNeeded: classes.count + 1)
                classes.append(added)
            }
            return ObjectCatalog(classes: classes)
        }

        private func finish(_ report: BNRImportReport, isStored: Bool) throws {
            try printing { output in
                if json { return try output.write(Self.json(report, isStored: isStored)) }
                for line in "\(report)".split(separator: "\n") { try output.writeLine(String(line)) }
                for text in report.failures { try output.writeLine("  \(EscapedText.string(Array(text.utf8)))") }
                for text in report.lostReferences { try output.writeLine("  \(EscapedText.string(Array(text.utf8)))") }
                let (objects, names) = (
                    Numbers.counted(report.objectCount, "object", "objects"), Numbers.counted(report.nameCount, "name", "names")
                )
                try output.writeLine(
                    isStored ? "Stored \(objects) and \(names)." : "Nothing was stored; \(objects) and \(names) can be read."
                )
            }
            guard report.isWhole else { throw ExitStatus.no }
        }

        private static func json(_ report: BNRImportReport, isStored: Bool) -> JSONValue {
            func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
            let classes = report.classes.map { item in
                JSONValue.object([
                    ("class", .string(item.name)), ("stored_as", .string(item.storedName)), ("claimed", .int(Int64(item.claimedCount))),
                    ("objects", .int(Int64(item.objectCount))), ("failed", .int(Int64(item.failedCount))),
                    ("encrypted", .int(Int64(item.encryptedCount))), ("damage", strings(item.damage)),
                ])
            }
            return .object([
                ("stored", .bool(isStored)), ("objects", .int(Int64(report.objectCount))), ("names", .int(Int64(report.nameCount))),
                ("classes", .array(classes)), ("failed_names", .int(Int64(report.failedNameCount))),
                ("name_damage", strings(report.nameDamage)),
                ("failures", strings(report.failures)), ("lost_references", .int(Int64(report.lostReferenceCount))),
                ("lost_reference_examples", strings(report.lostReferences)), ("ignored_classes", strings(report.ignoredClasses)),
                ("incomplete_indexes", strings(report.incompleteIndexes)),
            ])
        }
    }
}
