import CairnForms
import CairnGraph
import CairnToolKit
import Synchronization

/// Edits objects without their Swift classes.
final class ObjectEditing: StoreEditing {
    private let store: ObjectStore
    private let editor: Mutex<ObjectEditor>
    private let shown = ShownEdits<Step>()

    private struct Step {
        var edit: ObjectEdit
        var name: String
        var changes: [ObjectChange]
    }

    init(_ store: ObjectStore) throws(ObjectStoreError) {
        self.store = store
        editor = Mutex(try ObjectEditor(store))
    }

    var names: (undo: String?, redo: String?) {
        editor.withLock { ($0.canUndo ? $0.undoName ?? "" : nil, $0.canRedo ? $0.redoName ?? "" : nil) }
    }

    func preview(_ edit: JSONTree) throws -> (name: String, effects: [EditEffect]) {
        let (edit, name) = try read(edit)
        let changes = try editor.withLock { try $0.preview([edit]) }
        return (changes.isEmpty ? "" : shown.add(Step(edit: edit, name: name, changes: changes)), try effects(changes, areMade: false))
    }

    func perform(_ name: String) throws -> [EditEffect] {
        let step = try shown.take(name)
        return try editor.withLock { try effects(try $0.perform([step.edit], name: step.name, expecting: step.changes)) }
    }

    func undo() throws -> [EditEffect] { try editor.withLock { try effects(try $0.undo()) } }
    func redo() throws -> [EditEffect] { try editor.withLock { try effects(try $0.redo()) } }

    /// `{"set": {"object": …, "property": …, "text": …}}`, `{"insert": {"class": …, "values": {…}}}` or `{"delete": {"object": …}}`. Values are text,
    /// as in CSV; `null` stands for nil.
    private func read(_ edit: JSONTree) throws -> (edit: ObjectEdit, name: String) {
        let (name, edit) = try edit.command()
        switch name {
        case "set":
            let (id, stored) = try object(edit)
            let property = try edit.text("property")
            guard let value = edit["text"] else { throw PageFault(.badRequest, "The edit has no text.") }
            return (.set(id, try field(property, value, stored)), "set \(property) of \(stored.name) \(id.row)")
        case "insert":
            guard let stored = store.catalog[try edit.text("class")] else { throw PageFault(.notFound, "There is no such class.") }
            guard case .object(let members)? = edit["values"] else { throw PageFault(.badRequest, "The edit has no values.") }
            return (.insert(className: stored.name, try members.map { try field($0.name, $0.value, stored) }), "add a \(stored.name)")
        case "delete":
            let (id, stored) = try object(edit)
            return (.delete(id), "delete \(stored.name) \(id.row)")
        default: throw PageFault(.badRequest, "An object store has no edit '\(name)'.")
        }
    }

    private func object(_ edit: JSONTree) throws -> (ObjectID, ObjectCatalog.Class) {
        guard let id = ObjectID(try edit.text("object")), let stored = store.catalog[id] else {
            throw PageFault(.badRequest, "This is not an object's identity.")
        }
        return (id, stored)
    }

    private func field(_ name: String, _ value: JSONTree, _ stored: ObjectCatalog.Class) throws -> ObjectDump.Field {
        guard let property = stored.properties.first(where: { $0.name == name && !$0.isGone }) else {
            throw PageFault(.badRequest, "\(stored.name) has no property '\(name)'.")
        }
        switch (value, property.relationship?.shape, property.type) {
        case (.null, .list?, _), (.null, .set?, _): return ObjectDump.Field(name: name, value: .many([]))
        case (.null, .dictionary?, _): return ObjectDump.Field(name: name, value: .keyed([]))
        case (.null, _, _): return ObjectDump.Field(name: name, value: property.missingValue ?? .value(.null))
        // A text may be empty and not nil.
        case (.string(""), nil, .optional(.string)?): return ObjectDump.Field(name: name, value: .value(.text("")))
        case (.string(let text), _, _):
            do throws(ObjectJSONFault) { return ObjectDump.Field(name: name, value: try property.value(field: text)) } catch {
                throw PageFault(.badRequest, "The value of '\(name)' \(error.message)")
            }
        default: throw PageFault(.badRequest, "The value of '\(name)' must be text.")
        }
    }

    private func effects(_ changes: [ObjectChange], areMade: Bool = true) throws -> [EditEffect] {
        try changes.map { change in
            guard let stored = store.catalog[change.id] else { throw PageFault(.notFound, "There is no such class.") }
            func shown(_ name: String, _ value: ObjectDump.Value?) -> JSONValue {
                value.map { ObjectPages.value(ObjectDump.Field(name: name, value: $0), stored, Shown.inList, 20) } ?? .null
            }
            let kind: EditEffect.Kind =
                switch change.kind {
                case .insert: .insert
                case .update: .update
                case .delete: .delete
                }
            // An object that does not exist yet may get another row.
            let hasRow = areMade || kind != .insert
            return EditEffect(
                kind: kind,
                name: hasRow ? "\(change.className) \(change.id.row)" : change.className,
                id: hasRow ? "\(change.id)" : nil,
                changes: change.properties.map {
                    EditEffect.Change(name: $0.name, before: shown($0.name, $0.before), after: shown($0.name, $0.after))
                }
            )
        }
    }
}
