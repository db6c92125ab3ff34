import CairnToolKit
import Synchronization

/// A store of keys and values whose entries are edited.
protocol EditedEntries: Sendable {
    associatedtype Place: Sendable
    associatedtype Content: Equatable & Sendable

    /// Where an edit changes something, and the new content; `nil` to delete it.
    func read(_ edit: JSONTree) throws -> (Place, Content?)
    func content(at place: Place) throws -> Content?
    /// Whether the store has removed it because it has expired.
    func isGone(_ content: Content) -> Bool
    /// Replaces an entry if it still is what is expected; returns whether it was.
    func replace(_ place: Place, _ expected: Content?, with new: Content?) throws -> Bool
    func name(of place: Place) -> String
    func shown(_ content: Content?) -> JSONValue
}

extension EditedEntries {
    func isGone(_: Content) -> Bool { false }
}

/// Edits entries one by one.
final class EntryEditing<Entries: EditedEntries>: StoreEditing {
    private struct Step {
        var name: String
        var place: Entries.Place
        var before: Entries.Content?
        var after: Entries.Content?
    }

    private struct History {
        var done: [Step] = []
        var undone: [Step] = []
    }

    private let entries: Entries
    private let history = Mutex(History())
    private let shown = ShownEdits<Step>()
    private static var limit: Int { 100 }

    init(_ entries: Entries) { self.entries = entries }

    var names: (undo: String?, redo: String?) { history.withLock { ($0.done.last?.name, $0.undone.last?.name) } }

    func preview(_ edit: JSONTree) throws -> (name: String, effects: [EditEffect]) {
        guard let step = try step(edit) else { return ("", []) }
        return (shown.add(step), [effect(step)])
    }

    func perform(_ name: String) throws -> [EditEffect] {
        let step = try shown.take(name)
        return try history.withLock { history in
            try make(step)
            history.undone = []
            history.done.append(step)
            if history.done.count > Self.limit { history.done.removeFirst() }
            return [effect(step)]
        }
    }

    func undo() throws -> [EditEffect] { try again(\.done, \.undone, "undo") }
    func redo() throws -> [EditEffect] { try again(\.undone, \.done, "redo") }

    /// Makes the opposite of the last step of one list, which becomes the last step of the other.
    private func again(
        _ from: WritableKeyPath<History, [Step]>,
        _ to: WritableKeyPath<History, [Step]>,
        _ what: String
    ) throws -> [EditEffect] {
        try history.withLock { history in
            guard let last = history[keyPath: from].last else { throw PageFault(.conflict, "There is nothing to \(what).") }
            func remaining(_ content: Entries.Content?) -> Entries.Content? { content.flatMap { entries.isGone($0) ? nil : $0 } }
            let step = Step(name: last.name, place: last.place, before: remaining(last.after), after: remaining(last.before))
            guard step.before != nil || step.after != nil else {
                history[keyPath: from].removeLast()
                throw PageFault(
                    .conflict,
                    "\(entries.name(of: step.place)) has expired, so there is nothing left of '\(step.name)' to \(what)."
                )
            }
            try make(step)
            history[keyPath: from].removeLast()
            history[keyPath: to].append(step)
            return [effect(step)]
        }
    }

    /// `nil` if the edit changes nothing.
    private func step(_ edit: JSONTree) throws -> Step? {
        let (place, after) = try entries.read(edit)
        let before = try entries.content(at: place)
        guard before != after else { return nil }
        let verb = before == nil ? "add" : after == nil ? "delete" : "set"
        return Step(name: "\(verb) \(entries.name(of: place))", place: place, before: before, after: after)
    }

    private func make(_ step: Step) throws {
        guard try entries.replace(step.place, step.before, with: step.after) else {
            let hasExpired = step.before.map(entries.isGone) == true
            let why = hasExpired ? "has expired in the meantime" : "was changed by another program in the meantime, so this was not done"
            throw PageFault(.conflict, "\(entries.name(of: step.place)) \(why).")
        }
    }

    private func effect(_ step: Step) -> EditEffect {
        let kind: EditEffect.Kind = step.before == nil ? .insert : step.after == nil ? .delete : .update
        let change = EditEffect.Change(name: "", before: entries.shown(step.before), after: entries.shown(step.after))
        return EditEffect(kind: kind, name: entries.name(of: step.place), changes: [change])
    }
}
