import CairnCore
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Marks a store as moved elsewhere, or as an unfinished copy. Stored unencrypted in ``Keyspace/move``, which every save
/// depends on.
struct MoveMark: Codable, Equatable, Sendable {
    enum State: String, Codable {
        /// A copy that is not complete.
        case arriving
        /// Nothing can be saved any more: what was saved is in another engine.
        case moved
    }

    var state: State
    /// The store.
    var identity: UUID
    /// The name of the destination.
    var destination: String
    /// The run that writes to the copy, or that has stopped the saves. A later run takes over, and the earlier one stops.
    var run: UUID?
    /// In a copy: all keys before this one were copied, from some state.
    var next: [UInt8] = []

    init(_ state: State, _ identity: UUID, _ destination: String, run: UUID?) {
        self.state = state
        self.identity = identity
        self.destination = destination
        self.run = run
    }

    /// The mark of a store, if it has one.
    init?(_ bytes: [UInt8]?, _ name: String) throws(ObjectStoreError) {
        guard let bytes else { return nil }
        guard let mark = try? JSONDecoder().decode(MoveMark.self, from: Data(bytes)) else {
            throw ObjectStoreError(.corruption, "the record of a move of \(name) to another engine is damaged")
        }
        self = mark
    }

    static func read(_ view: StoreView, _ name: String) throws(ObjectStoreError) -> MoveMark? {
        try MoveMark(try view.get(Keyspace.move), name)
    }

    /// Performs commits on the copy, all at once and in any order, if it still belongs to this run. Each depends on the mark, so one that writes it must be alone.
    ///
    /// - Parameter failure: Makes the error of one of them, by its index.
    /// - Throws: `busy` if another run has begun since, or has completed the move; what the engine throws. Then others may be performed.
    func perform(
        _ commits: [EngineCommit],
        on copy: any StorageEngine,
        durability: Durability = .buffered,
        failure: (_ index: Int, _ error: ObjectStoreError) -> ObjectStoreError = { $1 }
    ) throws(ObjectStoreError) {
        var rest = Array(commits.indices)
        while !rest.isEmpty {
            let view = try StoreView(copy)
            guard try MoveMark.read(view, destination)?.run == run else { throw overtaken }
            let outcomes = Mutex<[Int: Result<Bool, ObjectStoreError>]>([:])
            TaskCancellation.performAtOnce(rest.count) { [rest] number in
                var commit = commits[rest[number]]
                commit.read(Keyspace.move, in: view)
                let outcome = Result { [commit] () throws(ObjectStoreError) in
                    try copy.tryPerform(commit, durability: durability) != nil
                }
                outcomes.withLock { $0[rest[number]] = outcome }
            }
            var conflicts: [Int] = []
            for (index, outcome) in outcomes.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
                do throws(ObjectStoreError) { if try !outcome.get() { conflicts.append(index) } } catch { throw failure(index, error) }
            }
            rest = conflicts
        }
    }

    var overtaken: ObjectStoreError {
        ObjectStoreError(
            .busy,
            "another program has moved the store to \(destination) in the meantime, or is moving it: this move was stopped"
        )
    }

    func encoded() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // Strings, numbers and a UUID: encoding cannot fail.
        return (try? Array(encoder.encode(self))) ?? []
    }

    /// Throws for a store that must not be opened.
    static func check(_ engine: any StorageEngine, _ options: ObjectStoreOptions, _ name: String) throws(ObjectStoreError) {
        guard let mark = try read(try StoreView(engine), name), mark.state == .arriving || !options.readOnly else { return }
        throw mark.refusal(name)
    }

    func refusal(_ name: String) -> ObjectStoreError {
        switch state {
        case .moved:
            ObjectStoreError(
                .moved,
                "\(name) was moved to \(destination), or is being moved: nothing more can be saved here. Open it there; here it can still be opened for reading"
            )
        case .arriving:
            ObjectStoreError(
                .changeUnfinished,
                "\(name) is the copy of a store whose move to \(destination) is not complete; run the move again"
            )
        }
    }
}

extension StoreInspector {
    /// The name of the place that the store was moved to (``ObjectStoreMove``), or is being moved to if saves have already stopped; `nil` if the store accepts
    /// saves.
    ///
    /// - Throws: ``ObjectStoreError``: `corruption`, `ioError`, `unavailable`.
    public func movedTo() throws(ObjectStoreError) -> String? {
        let mark = try MoveMark.read(view, store.name)
        return mark?.state == .moved ? mark?.destination : nil
    }
}
