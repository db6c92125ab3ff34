/// The capabilities of a ``StorageEngine``, so that its users can reject commits early.
///
/// `nil` means no practical limit. Sizes are in bytes.
public struct EngineLimits: Sendable, Hashable {
    /// The maximum key size.
    public var maximumKeySize: Int?
    /// The maximum value size.
    public var maximumValueSize: Int?
    /// The maximum number of operations in one commit: writes of single keys, deleted ranges and checked reads.
    public var maximumCommitOperations: Int?
    /// The maximum number of bytes in one commit: written keys and values, bounds of ranges, keys read.
    public var maximumCommitSize: Int?
    /// Whether the empty key is allowed.
    public var allowsEmptyKey = true
    /// Whether a commit can delete ranges. If not, it throws ``EngineError/Code/notSupported``, and keys must be deleted one by one.
    public var deletesRanges = true
    /// How long a view can be used, after which reading throws ``EngineError/Code/cancelled``.
    public var maximumViewAge: Duration?

    /// No limits.
    public init() {}
}

extension EngineLimits {
    /// Throws if a commit exceeds these limits. Every engine calls this first; its users may call it earlier.
    ///
    /// - Throws: ``EngineError/Code/tooLarge``, ``EngineError/Code/notSupported``.
    public func check(_ commit: EngineCommit) throws(EngineError) {
        try check("the longest key", commit.largestKeySize, maximumKeySize ?? EngineCommit.largestPart, "bytes")
        try check("the largest value", commit.largestValueSize, maximumValueSize ?? EngineCommit.largestPart, "bytes")
        if commit.operationCount > maximumCommitOperations ?? .max || commit.size > maximumCommitSize ?? .max {
            // Overwritten writes do not count.
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
