/// What was found when a store was opened.
public struct MappedOpenReport: Hashable, Sendable {
    /// Whether the store was made.
    public internal(set) var wasCreated = false
    /// Whether every record was read to make the index anew: after a crash of the machine, a process that died in the midst of a change, or
    /// damage.
    public internal(set) var wasRebuilt = false
    /// Whether one of the two copies of the header was damaged; the other served.
    public internal(set) var headerWasDamaged = false
    /// Stretches of the file that hold no whole record where there should be some: what was there is lost, the rest is not.
    public internal(set) var damagedRanges: [Range<Int>] = []
    /// Records of changes that were not finished when a process or the machine died, and so never happened.
    public internal(set) var unfinishedChanges = 0

    /// Whether everything was as it should be.
    public var isClean: Bool { !headerWasDamaged && damagedRanges.isEmpty }
}
