import ArgumentParser
import CairnCore
import CairnObjectsBNR
import CairnRocksGraph
import CairnToolKit

extension Objects {
    struct ImportBNR: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import-bnr",
            abstract: "Store what BNRPersistence stored in a directory, all or none.",
            discussion: """
                The files of BNRPersistence do not say what is in them: the layout does, a JSON file with the fields of each class in the order in \
                which the class wrote them. docs/formats/bnrpersistence.md describes it.

                Classes that the store does not have are made of the layout; those that it has must have the properties. Objects of a class that \
                has none in the store keep their rows. References to objects that are not there are left out and told.

                Where a file is damaged or an object is not what the layout says, nothing is stored, and exit code 1 follows what could be read; \
                with --salvage that is stored. --dry-run stores nothing in any case.
                """
        )

        @Argument(help: "The directory that BNRPersistence wrote.", completion: .directory) var directory: String
        @Argument(help: "The store's directory; it is not encrypted, and 'rekey' can do that afterwards.", completion: .directory)
        var path: String
        @Option(help: "The layout.", completion: .file()) var layout: String
        @Option(
            help: "A file whose first line is the passphrase (the encryptionKey) of the old store; '-' is standard input.",
            completion: .file()
        )
        var passphraseFile: String?
        @Flag(help: "Make the store if it does not exist.") var create = false
        @Flag(help: "Store what can be read where something cannot.") var salvage = false
        @Flag(help: "Only tell what would be stored; the store need not exist.") var dryRun = false
        @Flag(help: "Return only when the objects would survive a power cut.") var sync = false
        @Flag(help: "Print the result as a JSON object.") var json = false

        func run() throws {
            let importer = try BNRImporter(path: directory, layout: readLayout(), passphrase: passphraseFile.map(KeyFile.passphrase))
            let added = try importer.layout.catalog()
            let existing = try existingCatalog()
            guard existing != nil || create || dryRun else {
                throw Failure(.database, "There is no object store at '\(path)'.", hint: "Check the path; --create makes a store.")
            }
            let checked = try importer.check(for: Self.merged(existing, added))
            if dryRun || !checked.isWhole && !salvage { return try finish(checked, isStored: false) }
            var options = ObjectStoreOptions()
            options.createIfMissing = create
            options.durability = sync ? .synced : .buffered
            let opened = try ObjectStore(path: path, catalog: added, options: options)
            let report = try importer.importObjects(into: opened, salvaging: salvage)
            try opened.close()
            try finish(report, isStored: true)
        }

        private func readLayout() throws -> BNRLayout {
            let bytes = try ByteInput(path: layout).readAll()
            do throws(BNRError) { return try BNRLayout(json: bytes) } catch {
                throw Failure(.file, "\(layout): \(error.message).", hint: "docs/formats/bnrpersistence.md describes layouts.")
            }
        }

        /// The classes of the store; `nil` where there is none.
        private func existingCatalog() throws -> ObjectCatalog? {
            var options = ObjectStoreOptions()
            options.readOnly = true
            options.createIfMissing = false
            do throws(ObjectStoreError) {
                let store = try ObjectStore(path: path, classes: [], options: options)
                let catalog = store.catalog
                try store.close()
                return catalog
            } catch {
                guard error.code == .notFound else { throw error }
                return nil
            }
        }

        /// The classes that the store would have.
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
