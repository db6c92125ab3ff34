import Synchronization

/// The views of an engine, which keep it from being closed.
package final class OpenViews: Sendable {
    private let state = Mutex(State())

    private struct State {
        var count = 0
        var isClosed = false
    }

    package init() {}

    /// Counts a view. Returns false once the engine is closed.
    package func begin() -> Bool {
        state.withLock { state in
            if !state.isClosed { state.count += 1 }
            return !state.isClosed
        }
    }

    package func end() { state.withLock { $0.count -= 1 } }

    /// Allows no more views. Returns false if it was called before.
    ///
    /// - Throws: `busy` if views are held.
    package func close(_ engine: String) throws(EngineError) -> Bool {
        try state.withLock { state throws(EngineError) in
            guard state.count == 0 else { throw Self.areHeld(state.count, engine) }
            defer { state.isClosed = true }
            return !state.isClosed
        }
    }

    /// The error of closing an engine that has views.
    package static func areHeld(_ count: Int, _ engine: String) -> EngineError {
        EngineError(.busy, "closing \(engine): \(count) \(count == 1 ? "view is" : "views are") still in use; release them first")
    }
}
