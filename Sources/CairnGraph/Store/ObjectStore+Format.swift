import Synchronization

extension ObjectStore {
    /// The version of the store's format.
    package var formatNumber: Int { format.load(ordering: .relaxed) }

    /// Raises the store's format with a commit, unless it already has this format or a newer one.
    func raiseFormat(to format: Int, in commit: inout EngineCommit) {
        guard self.format.load(ordering: .relaxed) < format else { return }
        var header = header
        header.format = format
        commit.put(header.encoded(), for: Keyspace.header)
    }

    /// Called once that commit was performed.
    func formatIsRaised(to format: Int) { self.format.max(format, ordering: .relaxed) }
}
