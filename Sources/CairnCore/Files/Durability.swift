/// What a finished write survives. The documentation of each store states its default.
public enum Durability: String, Hashable, Sendable, CaseIterable {
    /// May be lost when the process dies.
    case none
    /// Survives the death of the process (a crash, `kill -9`), but not a power failure or a system crash.
    case buffered
    /// Survives a power failure, provided that the disk confirms only what it has stored permanently: the write returns after this
    /// confirmation.
    case synced
}
