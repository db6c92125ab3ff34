import Synchronization

extension ObjectStore {
    /// The version of the store's format.
    package var formatNumber: Int { format.load(ordering: .relaxed) }

    /// Adds to a commit that the store has a format from then on, unless it has that, or a newer one, already.
    func raiseFormat(to format: Int, in commit: inout EngineCommit) {
        guard self.format.load(ordering: .relaxed) < format else { return }
        var header = header
        header.format = format
        commit.put(header.encoded(), for: Keyspace.header)
    }

    /// The commit was performed.
    func formatIsRaised(to format: Int) { self.format.max(format, ordering: .relaxed) }
}
