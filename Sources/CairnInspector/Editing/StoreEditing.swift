import CairnToolKit
import Synchronization

/// Changes a store for the page: each change shown before it is made, and undoable.
protocol StoreEditing: Sendable {
    /// What an edit would do, and a name to make it by.
    func preview(_ edit: JSONTree) throws -> (name: String, effects: [EditEffect])
    /// Makes the edit with that name, once, if it still does what the preview said; returns what it did.
    func perform(_ name: String) throws -> [EditEffect]
    func undo() throws -> [EditEffect]
    func redo() throws -> [EditEffect]
    /// What can be undone and redone.
    var names: (undo: String?, redo: String?) { get }
}

extension StoreEditing {
    var history: JSONValue {
        let names = names
        func json(_ name: String?) -> JSONValue { name.map { .string($0) } ?? .null }
        return .object([("undo", json(names.undo)), ("redo", json(names.redo))])
    }
}

/// Edits that were shown, and may be confirmed.
final class ShownEdits<Edit: Sendable>: Sendable {
    private struct State {
        var edits: [(name: String, edit: Edit)] = []
        var count = 0
    }

    private let state = Mutex(State())
    private static var limit: Int { 16 }

    func add(_ edit: Edit) -> String {
        state.withLock { state in
            state.count += 1
            state.edits.append(("\(state.count)", edit))
            if state.edits.count > Self.limit { state.edits.removeFirst() }
            return "\(state.count)"
        }
    }

    func take(_ name: String) throws -> Edit {
        try state.withLock { state in
            guard let place = state.edits.firstIndex(where: { $0.name == name }) else {
                throw PageFault(.conflict, "This change was already made, or is too old; edit again.")
            }
            return state.edits.remove(at: place).edit
        }
    }
}

/// What an edit does to an entry or an object.
struct EditEffect {
    enum Kind: String {
        case insert, update, delete
    }

    struct Change {
        /// The property; empty for the value of an entry.
        var name: String
        var before: JSONValue
        var after: JSONValue
    }

    var kind: Kind
    /// How the page calls what is changed.
    var name: String
    /// The identity of an object that exists afterwards.
    var id: String?
    var changes: [Change]

    /// How many of the effects are sent to the page.
    private static let most = 100

    /// The first effects, with the number of all.
    static func json(_ effects: [EditEffect]) -> [(name: String, value: JSONValue)] {
        [("effects", .array(effects.prefix(most).map(\.json))), ("count", Shown.count(effects.count))]
    }

    private var json: JSONValue {
        let changes = changes.map { change in
            JSONValue.object([("name", .string(change.name)), ("before", change.before), ("after", change.after)])
        }
        return .object([
            ("kind", .string(kind.rawValue)), ("name", .string(name)), ("id", id.map { .string($0) } ?? .null),
            ("changes", .array(changes)),
        ])
    }
}

extension JSONTree {
    /// The text of a member.
    func text(_ name: String) throws -> String {
        guard case .string(let text)? = self[name] else { throw PageFault(.badRequest, "The edit has no text '\(name)'.") }
        return text
    }

    /// The kind of an edit, which is its only member.
    func command() throws -> (name: String, content: JSONTree) {
        guard case .object(let members) = self, members.count == 1 else { throw PageFault(.badRequest, "This is not an edit.") }
        return (members[0].name, members[0].value)
    }
}
