public import CairnCore
import CairnEngine

extension EtcdEngine {
    /// Whether the cluster still has revisions from before the latest change in `range`, or the latest deletion in the store: everybody with access to the keys can read
    /// former values at such a revision.
    ///
    /// `removeFormerData(in:)` does nothing: a compaction would end the views, and watches that are late, of all stores and programs of the cluster, so it is
    /// left to the operator. See the guide.
    ///
    /// - Complexity: Two or three round trips; the server sorts the keys in `range`.
    public func keepsFormerData(in range: KeyRange) throws(EngineError) -> Bool {
        let (layout, attempt) = (pool.target.layout, "looking for former data in")
        func latestChange(_ key: [UInt8], end: [UInt8]? = nil) throws(EngineError) -> UInt64 {
            let part = EtcdRequest.Part(limit: 1, hasLatestFirst: true, hasKeysOnly: true)
            let request = EtcdRequest.object(.range(key, end: end, part))
            return try pool.run("/v3/kv/range", request, attempt, fits: { $0.fits(key, end: end) }).entries.first?.modified ?? 0
        }
        var latest = try latestChange(layout.deletions)
        if !range.isEmpty { latest = max(latest, try latestChange(layout.lower(range), end: layout.upper(range))) }
        guard latest > 1 else { return false }
        do throws(EngineError) {
            _ = try pool.head(attempt, at: latest - 1)
            return true
        } catch {
            guard error.code == .expired else { throw error }
            return false
        }
    }
}
