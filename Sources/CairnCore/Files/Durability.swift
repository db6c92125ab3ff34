/// What a finished write survives. Each store names its default in its first paragraph.
public enum Durability: String, Hashable, Sendable, CaseIterable {
    /// May be lost when the process dies.
    case none
    /// Survives the death of the process (a crash, `kill -9`), but not a power failure or a system crash.
    case buffered
    /// Survives a power failure, provided that the disk keeps its word: the write returns after the disk has confirmed it.
    case synced
}
