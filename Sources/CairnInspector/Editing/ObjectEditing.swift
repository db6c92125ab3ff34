import CairnForms
import CairnGraph
import CairnToolKit
import Synchronization

/// Edits objects without their Swift classes.
final class ObjectEditing: StoreEditing {
    private let store: ObjectStore
    private let editor: Mutex<ObjectEditor>

    init(_ store: ObjectStore) throws(ObjectStoreError) {
        self.store = store
        editor = Mutex(try ObjectEditor(store))
    }

    var names: (undo: String?, redo: String?) {
        editor.withLock { ($0.canUndo ? $0.undoName ?? "" : nil, $0.canRedo ? $0.redoName ?? "" : nil) }
    }

    func preview(_ edit: JSONTree) throws -> [EditEffect] {
        let edit = try read(edit).edit
        return try editor.withLock { try effects(try $0.preview([edit])) }
    }

    func perform(_ edit: JSONTree) throws -> [EditEffect] {
        let (edit, name) = try read(edit)
        return try editor.withLock { try effects(try $0.perform([edit], name: name)) }
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
            return (.set(id, try field(property, edit["text"] ?? .null, stored)), "set \(property) of \(stored.name) \(id.row)")
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
        switch value {
        case .null: return ObjectDump.Field(name: name, value: property.missingValue ?? .value(.null))
        case .string(let text):
            do throws(ObjectJSONFault) { return ObjectDump.Field(name: name, value: try property.value(field: text)) } catch {
                throw PageFault(.badRequest, "The value of '\(name)' \(error.message)")
            }
        default: throw PageFault(.badRequest, "The value of '\(name)' must be text.")
        }
    }

    private func effects(_ changes: [ObjectChange]) throws -> [EditEffect] {
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
            return EditEffect(
                kind: kind,
                name: "\(change.className) \(change.id.row)",
                id: "\(change.id)",
                changes: change.properties.map {
                    EditEffect.Change(name: $0.name, before: shown($0.name, $0.before), after: shown($0.name, $0.after))
                }
            )
        }
    }
}
