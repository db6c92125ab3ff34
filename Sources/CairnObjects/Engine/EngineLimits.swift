/// What a ``StorageEngine`` can hold and do, as data: so that its users refuse early what a commit could not hold.
///
/// `nil` means that there is no limit worth knowing. Sizes are in bytes.
public struct EngineLimits: Sendable, Hashable {
    /// The longest key.
    public var maximumKeySize: Int?
    /// The largest value.
    public var maximumValueSize: Int?
    /// The most operations in one commit: writes of single keys, deleted ranges and reads that are checked, together.
    public var maximumCommitOperations: Int?
    /// The most bytes in one commit: keys and values that are written, bounds of ranges, keys that were read.
    public var maximumCommitSize: Int?
    /// Whether the empty key is a key.
    public var allowsEmptyKey = true
    /// Whether a commit can delete ranges; if not, it throws ``EngineError/Code/notSupported``, and each key must be deleted on its own.
    public var deletesRanges = true
    /// How long a view can be read from, after which reading it throws ``EngineError/Code/cancelled``.
    public var maximumViewAge: Duration?

    /// No limits.
    public init() {}
}

extension EngineLimits {
    /// Refuses a commit that these limits cannot hold. Every engine calls this first; whoever makes commits may do so earlier.
    ///
    /// - Throws: ``EngineError/Code/tooLarge``, ``EngineError/Code/notSupported``.
    public func check(_ commit: EngineCommit) throws(EngineError) {
        try check("the longest key", commit.largestKeySize, maximumKeySize ?? EngineCommit.largestPart, "bytes")
        try check("the largest value", commit.largestValueSize, maximumValueSize ?? EngineCommit.largestPart, "bytes")
        if commit.operationCount > maximumCommitOperations ?? .max || commit.size > maximumCommitSize ?? .max {
            // Writes that others took the place of do not count.
            let writes = commit.ordered()
            let operations = writes.count + writes.deletedRanges.count + commit.readCount
            try check("the commit", operations, maximumCommitOperations ?? .max, "operations")
            try check("the commit", writes.byteCount + commit.readSize, maximumCommitSize ?? .max, "bytes")
        }
        guard allowsEmptyKey || !commit.hasEmptyKey else { throw EngineError(.notSupported, "the engine cannot store the empty key") }
        guard deletesRanges || !commit.deletesRanges else {
            throw EngineError(.notSupported, "the engine cannot delete ranges; delete their keys one by one")
        }
    }

    private func check(_ subject: String, _ size: Int, _ limit: Int, _ unit: String) throws(EngineError) {
        guard size > limit else { return }
        throw EngineError(.tooLarge, "\(subject) has \(size) \(unit), and the engine allows \(limit)")
    }
}
