/// What a finished write survives. Each store names its default in its first paragraph.
public enum Durability: String, Hashable, Sendable, CaseIterable {
    /// May be lost when the process dies.
    case none
    /// Survives the death of the process (a crash, `kill -9`), but not a power cut or a crash of the system.
    case buffered
    /// Survives power loss, as far as the disk keeps its word: the write returns after the disk confirmed it.
    case synced
}
