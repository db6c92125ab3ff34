#if canImport(Darwin)
public import Foundation

extension ObjectUndo {
    /// Has an `UndoManager` undo and redo the changes of the context, together with what others register there: for the Edit menu of an app, and for
    /// the views that use the manager of their window.
    ///
    /// ```swift
    /// context.undo.connect(to: undoManager) { error in show(error) }
    /// context.undo.group("Rename") { song.title = "Walking on Sunshine" }     // the menu says "Undo Rename"
    /// ```
    ///
    /// ``isEnabled`` becomes `true` and ``limit`` 0: how much is kept is for the manager to say (`levelsOfUndo`). A group is registered when its first
    /// change is made, with its name; where the manager ends a group of its own, as it does with each event, changes made behind that form another. Use the
    /// manager's `undo()` and `redo()` from then on, not those of this class. What ``removeAll()`` forgets, the manager forgets too. Connecting again has
    /// another manager in place of the first.
    ///
    /// This was compiled against the manager's declarations and has not been run: there is no `UndoManager` where the package's tests run.
    ///
    /// - Parameter onError: What could not be undone or redone, with errors as of ``undo()``. Nothing of the context can be undone or redone then any more.
    @MainActor
    public func connect(to manager: UndoManager, onError: @escaping @MainActor (ObjectStoreError) -> Void = { _ in }) {
        let bridge = UndoManagerBridge(self, manager, onError)
        removeAll()
        limit = 0
        isEnabled = true
        listener = bridge
    }
}

/// Registers groups with a manager. Kept by the context's undo, and by the actions in the manager, which does not keep the targets of actions.
@MainActor
private final class UndoManagerBridge: ObjectUndoListener {
    private weak var undo: ObjectUndo?
    private weak var manager: UndoManager?
    private let onError: @MainActor (ObjectStoreError) -> Void
    // Written by the initialiser only.
    nonisolated(unsafe) private var observation: (any NSObjectProtocol)?

    init(_ undo: ObjectUndo, _ manager: UndoManager, _ onError: @escaping @MainActor (ObjectStoreError) -> Void) {
        self.undo = undo
        self.manager = manager
        self.onError = onError
        // Posted on the thread that uses the manager, which is the main one.
        unsafe observation = NotificationCenter.default.addObserver(
            forName: .NSUndoManagerDidCloseUndoGroup,
            object: manager,
            queue: nil
        ) { [weak self] _ in
            MainActor.assumeIsolated { self?.undo?.close() }
        }
    }

    deinit {
        if let observation = unsafe observation { NotificationCenter.default.removeObserver(observation) }
    }

    // The context belongs to the main actor, by the actor of `connect(to:onError:)`.

    nonisolated func groupBegan(_ name: String?) {
        MainActor.assumeIsolated {
            register(.undo)
            if let name { manager?.setActionName(name) }
        }
    }

    nonisolated func allForgotten() {
        MainActor.assumeIsolated { manager?.removeAllActions(withTarget: self) }
    }

    private enum Direction { case undo, redo }

    /// An action of the manager; performing it registers the opposite, which the manager takes as one to redo, or to undo again.
    private func register(_ direction: Direction) {
        // The action keeps its target, by naming it.
        manager?.registerUndo(withTarget: self) { _ in self.perform(direction) }
    }

    private func perform(_ direction: Direction) {
        guard let undo else { return }
        do throws(ObjectStoreError) {
            switch direction {
            case .undo: try undo.undo()
            case .redo: try undo.redo()
            }
            register(direction == .undo ? .redo : .undo)
        } catch {
            undo.removeAll()
            onError(error)
        }
    }
}
#endif
