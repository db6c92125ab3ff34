#if canImport(Darwin)
public import Foundation

extension ObjectUndo {
    /// Lets an `UndoManager` undo and redo the changes of the context, together with what others register there: for the Edit menu of an
    /// app, and for views that use the manager of their window.
    ///
    /// ```swift
    /// context.undo.connect(to: undoManager) { error in show(error) }
    /// context.undo.group("Rename") { song.title = "Walking on Sunshine" }     // the menu says "Undo Rename"
    /// ```
    ///
    /// Sets ``isEnabled`` to `true` and ``limit`` to 0: the manager decides how much is kept (`levelsOfUndo`). A group is registered with
    /// its name when its first change is made. If the manager closes a group itself, as it does with each event, later changes form
    /// another group. From then on, use the manager's `undo()` and `redo()`, not those of this class. What ``removeAll()`` discards, the
    /// manager discards too. Connecting again replaces the manager.
    ///
    /// This was compiled against the manager's declarations but has not been run: there is no `UndoManager` where the package's tests run.
    ///
    /// - Parameter onError: Called when undoing or redoing fails, with the errors of ``undo()``. Nothing in the context can then be undone
    ///   or redone any more.
    @MainActor
    public func connect(to manager: UndoManager, onError: @escaping @MainActor (ObjectStoreError) -> Void = { _ in }) {
        let bridge = UndoManagerBridge(self, manager, onError)
        removeAll()
        limit = 0
        isEnabled = true
        listener = bridge
    }
}

/// Registers groups with a manager. Retained by the context's undo and by the actions in the manager, which doesn't retain their targets.
@MainActor
private final class UndoManagerBridge: ObjectUndoListener {
    private weak var undo: ObjectUndo?
    private weak var manager: UndoManager?
    private let onError: @MainActor (ObjectStoreError) -> Void
    // Written only by the initializer.
    nonisolated(unsafe) private var observation: (any NSObjectProtocol)?

    init(_ undo: ObjectUndo, _ manager: UndoManager, _ onError: @escaping @MainActor (ObjectStoreError) -> Void) {
        self.undo = undo
        self.manager = manager
        self.onError = onError
        // Posted on the thread that uses the manager: the main thread.
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

    // The context belongs to the main actor, because `connect(to:onError:)` does.

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

    /// Registers an action with the manager. Performing it registers the opposite, which the manager can redo, or undo again.
    private func register(_ direction: Direction) {
        // The action retains its target by capturing it.
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
