import ArgumentParser
import CairnForms
import CairnRocksGraph
import CairnToolKit

/// What the commands that change objects have in common.
struct EditArguments: ParsableArguments {
    @Flag(help: "Only print what would change.") var dryRun = false
    @Flag(help: "Print a JSON object per line for each object that changes.") var json = false

    /// Makes edits, and prints what they do.
    func make(_ store: ObjectsArguments, _ edits: (ObjectStore) throws -> [ObjectEdit]) throws {
        let path = store.path
        try store.writing { store in
            let editor = try ObjectEditor(store)
            defer { editor.close() }
            let edits = try edits(store)
            let changes: [ObjectChange]
            do throws(ObjectStoreError) { changes = dryRun ? try editor.preview(edits) : try editor.perform(edits) } catch {
                switch (error.code, error.object) {
                case (.objectNotFound, let missing?): throw Failure(.no, "There is no \(store.catalog.phrase(missing)) in '\(path)'.")
                case (.invalidArgument, _), (.typeMismatch, _), (.unknownClass, _): throw Failure(.usage, error.sentence)
                default: throw error
                }
            }
            try printing { output in for change in changes { try print(change, store.catalog, output) } }
        }
    }

    private func print(_ change: ObjectChange, _ catalog: ObjectCatalog, _ output: OutputWriter) throws {
        guard let stored = catalog[change.id] else { return }
        func value(_ name: String, _ value: ObjectDump.Value?) -> JSONValue {
            value.map { ObjectJSON.value(ObjectDump.Field(name: name, value: $0), stored) } ?? .null
        }
        if json {
            let properties = change.properties.map { property in
                let values = [("before", value(property.name, property.before)), ("after", value(property.name, property.after))]
                return (property.name, JSONValue.object(values))
            }
            return try output.write(
                .object([
                    ("change", .string(change.kind.rawValue)), ("object", .string("\(change.id)")), ("class", .string(change.className)),
                    ("properties", .object(properties)),
                ])
            )
        }
        let fields = change.properties.map { property in
            func text(_ side: ObjectDump.Value?) -> String { String(decoding: value(property.name, side).text, as: UTF8.self) }
            return switch change.kind {
            case .insert: "\(property.name)=\(text(property.after))"
            case .update: "\(property.name)=\(text(property.before)) → \(text(property.after))"
            case .delete: "\(property.name)=\(text(property.before))"
            }
        }
        let name = EscapedText.string(Array(catalog.phrase(change.id).utf8))
        let verb = [ObjectChange.Kind.insert: "added", .update: "changed", .delete: "deleted"][change.kind] ?? ""
        try output.writeLine(([name, verb] + fields).joined(separator: "\t"))
    }
}

extension ObjectCatalog.Class {
    /// The property and the value of an argument `NAME=VALUE`.
    fileprivate func field(_ argument: String) throws -> ObjectDump.Field {
        guard let equals = argument.firstIndex(of: "=") else {
            throw Failure(.usage, "'\(argument)' is not a property with a value.", hint: "Write NAME=VALUE.")
        }
        let name = String(argument[..<equals])
        guard let property = properties.first(where: { $0.name == name && !$0.isGone }) else {
            let names = properties.filter { !$0.isGone }.map { EscapedText.string(Array($0.name.utf8)) }
            throw Failure(.usage, "\(self.name) has no property '\(name)'.", hint: "It has: \(names.joined(separator: ", ")).")
        }
        do throws(ObjectJSONFault) {
            return ObjectDump.Field(name: name, value: try property.value(field: String(argument[argument.index(after: equals)...])))
        } catch {
            throw Failure(.usage, "The value of '\(name)' \(error.message).")
        }
    }
}

extension ObjectStore {
    /// The object that an argument such as `1/17` names, with its class.
    fileprivate func object(_ argument: String) throws -> (ObjectID, ObjectCatalog.Class) {
        guard let id = ObjectID(argument) else {
            throw Failure(
                .usage,
                "'\(argument)' is not an object.",
                hint: "Give class and row together, such as '1/17'; 'list' prints them."
            )
        }
        guard let stored = catalog[id] else { throw Failure(.usage, "The store has no class \(id.classNumber).") }
        return (id, stored)
    }
}

extension Objects {
    struct SetValues: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change values and relationships of an object.",
            discussion: """
                Indexes, full-text search and the other sides of relationships change with them. Values are written as in CSV: text as it is, lists \
                and the like as JSON, other objects by class and row. An empty value is nil if the property can be nil.

                  cairn objects set Music.store 1/17 title='Walking on Sunshine' year=1985 album=2/3

                The code of the program does not run, so objects that only the program knows how to write are refused. Prints each object that \
                changes. Exits with 1 if an object does not exist.
                """
        )

        @OptionGroup var store: ObjectsArguments
        @Argument(help: "The object, as class and row, such as '1/17'.") var object: String
        @Argument(help: ArgumentHelp("A property, and its value.", valueName: "name=value")) var values: [String]
        @OptionGroup var edit: EditArguments

        func run() throws {
            try edit.make(store) { store in
                let (id, stored) = try store.object(object)
                return try values.map { .set(id, try stored.field($0)) }
            }
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add an object of a class.",
            discussion: """
                Only the program knows defaults, so every property that cannot be nil needs a value. Values are written as for 'set'.

                  cairn objects add Music.store Song title=Waterloo year=1974
                """
        )

        @OptionGroup var store: ObjectsArguments
        @Argument(help: "The class.") var className: String
        @Argument(help: ArgumentHelp("A property, and its value.", valueName: "name=value")) var values: [String] = []
        @OptionGroup var edit: EditArguments

        func run() throws {
            try edit.make(store) { store in
                let stored = try store.classNamed(className)
                return [.insert(className: stored.name, try values.map { try stored.field($0) })]
            }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete objects, and apply their delete rules.",
            discussion:
                "References to them are removed. All are deleted, or none; exits with 1 if one does not exist. --dry-run shows what else would be deleted or changed."
        )

        @OptionGroup var store: ObjectsArguments
        @Argument(help: "The objects, as class and row, such as '1/17'.") var objects: [String]
        @OptionGroup var edit: EditArguments

        func run() throws { try edit.make(store) { store in try objects.map { .delete(try store.object($0).0) } } }
    }
}
