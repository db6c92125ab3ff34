import Synchronization

/// The use of an engine by one store.
///
/// A store that is alone need not check whether the objects that it refers to still exist: it knows what it deleted.
final class EngineUse: Sendable {
    /// The state that all stores of an engine share.
    private final class Users: Sendable {
        let count = Atomic(0)
        let haveBeenSeveral: Atomic<Bool>

        init(isShared: Bool) { haveBeenSeveral = Atomic(isShared) }
    }

    private struct Weak: Sendable { weak var users: Users? }

    /// By the engine that holds the data.
    private static let all = Mutex<[ObjectIdentifier: Weak]>([:])

    private let users: Users
    private let hasEnded = Atomic(false)

    /// Begins to use an engine that holds data, which the store retains.
    init(_ base: any StorageEngine) {
        users = Self.all.withLock { all in
            if let users = all[ObjectIdentifier(base)]?.users {
                users.haveBeenSeveral.store(true, ordering: .releasing)
                return users
            }
            all = all.filter { $0.value.users != nil }
            let users = Users(isShared: base.isShared)
            all[ObjectIdentifier(base)] = Weak(users: users)
            return users
        }
        users.count.wrappingAdd(1, ordering: .relaxed)
    }

    deinit { _ = end() }

    /// Whether other stores of this process, or other processes, may commit to the same data.
    var isShared: Bool { users.haveBeenSeveral.load(ordering: .acquiring) }

    /// Ends the use; returns whether it was the last one.
    func end() -> Bool {
        guard !hasEnded.exchange(true, ordering: .relaxed) else { return false }
        return users.count.wrappingSubtract(1, ordering: .relaxed).newValue == 0
    }

    /// Continues after ``end()``, since the engine could not be closed.
    func resume() {
        hasEnded.store(false, ordering: .relaxed)
        users.count.wrappingAdd(1, ordering: .relaxed)
    }
}
