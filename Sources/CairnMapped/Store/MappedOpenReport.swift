/// What opening a store found.
public struct MappedOpenReport: Hashable, Sendable {
    /// Whether the store was created.
    public internal(set) var wasCreated = false
    /// Whether every record was read to rebuild the index: after a crash of the machine, after a process died in the middle of a change, or after
    /// damage.
    public internal(set) var wasRebuilt = false
    /// Whether one of the two copies of the header was damaged; the other one was used.
    public internal(set) var headerWasDamaged = false
    /// Ranges of the file that should hold records but hold no intact one. Their contents are lost; the rest is not.
    public internal(set) var damagedRanges: [Range<Int>] = []
    /// The bytes missing at the end of the file: from its actual end to where, according to its header, the records end; `nil` if none are
    /// missing. If even the header was truncated so much that it does not say, the range ends where the header should end. Records that
    /// were there are lost; the rest is not. After a power loss, these may be changes that the system had not written yet; otherwise the
    /// file was truncated, or copied incompletely.
    public internal(set) var missingRange: Range<Int>?
    /// The number of records of changes that were unfinished when a process or the machine died. Those changes never happened.
    public internal(set) var unfinishedChanges = 0

    /// Whether nothing was damaged or missing.
    public var isClean: Bool { !headerWasDamaged && damagedRanges.isEmpty && missingRange == nil }
}
