/// The capabilities of a ``StorageEngine``, so that its users can reject commits early.
///
/// `nil` means no practical limit. Sizes are in bytes.
public struct EngineLimits: Sendable, Hashable {
    /// The maximum key size.
    public var maximumKeySize: Int?
    /// The maximum value size.
    public var maximumValueSize: Int?
    /// The maximum number of operations in one commit: writes of single keys, deleted ranges, and checked reads unless these have a limit of their own.
    public var maximumCommitOperations: Int?
    /// The maximum number of keys and ranges in one commit that it depends on (`EngineCommit.read(_:in:)`), repeated ones included. If set, reads do not
    /// count as operations too: some servers count writes and comparisons apart.
    public var maximumCommitReads: Int?
    /// The maximum number of bytes in one commit: written keys and values, bounds of ranges, keys read.
    public var maximumCommitSize: Int?
    /// Whether the empty key is allowed.
    public var allowsEmptyKey = true
    /// Whether a commit can delete ranges. If not, it throws ``EngineError/Code/notSupported``, and keys must be deleted one by one.
    public var deletesRanges = true
    /// The minimum time that a view can be used. Reading from an older one may throw ``EngineError/Code/expired``.
    public var maximumViewAge: Duration?
    /// How to raise all limits except the key size, for messages.
    package var advice: String?

    /// No limits.
    public init() {}
}

extension EngineLimits {
    /// Throws if a commit exceeds these limits. Every engine calls this first; its users may call it earlier.
    ///
    /// - Throws: ``EngineError/Code/tooLarge``, ``EngineError/Code/notSupported``.
    public func check(_ commit: EngineCommit) throws(EngineError) {
        try check("the longest key", commit.largestKeySize, maximumKeySize ?? EngineCommit.largestPart, "bytes", isFixed: true)
        try check("the largest value", commit.largestValueSize, maximumValueSize ?? EngineCommit.largestPart, "bytes")
        if let maximumCommitReads { try check("the commit", commit.readCount, maximumCommitReads, "reads") }
        if commit.operationCount > maximumCommitOperations ?? .max || commit.size > maximumCommitSize ?? .max {
            // Overwritten writes do not count.
            let writes = commit.ordered()
            let operations = writes.count + writes.deletedRanges.count + (maximumCommitReads == nil ? commit.readCount : 0)
            try check("the commit", operations, maximumCommitOperations ?? .max, "operations")
            try check("the commit", writes.byteCount + commit.readSize, maximumCommitSize ?? .max, "bytes")
        }
        guard allowsEmptyKey || !commit.hasEmptyKey else { throw EngineError(.notSupported, "the engine cannot store the empty key") }
        guard deletesRanges || !commit.deletesRanges else {
            throw EngineError(.notSupported, "the engine cannot delete ranges; delete their keys one by one")
        }
    }

    private func check(_ subject: String, _ size: Int, _ limit: Int, _ unit: String, isFixed: Bool = false) throws(EngineError) {
        guard size > limit else { return }
        let advice = isFixed ? "" : advice.map { "; \($0)" } ?? ""
        throw EngineError(.tooLarge, "\(subject) has \(size) \(unit), but the engine allows only \(limit)\(advice)")
    }
}
