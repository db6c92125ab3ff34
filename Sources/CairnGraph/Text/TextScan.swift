import CairnCore
import Synchronization

/// The objects whose texts may match a query, by their text indexes: all that match, and some for which the indexes cannot decide.
struct TextScan {
    let text: String
    private let texts: [StoredText]
    /// One pattern of each group must be found, in one of the texts.
    private let groups: [[TextPatternScan]]
    /// Whether the query asks for nothing else.
    private let isComplete: Bool

    /// - Returns: `nil` if the indexes don't help and all objects must be tested.
    init?(_ query: TextQuery, _ texts: [StoredText]) {
        var groups: [[TextPatternScan]] = []
        for group in query.required {
            var scans: [TextPatternScan] = []
            for pattern in group where !pattern.form.isEmpty {
                for text in texts {
                    guard let scan = TextPatternScan(pattern, text) else { return nil }
                    scans.append(scan)
                }
            }
            groups.append(scans)
        }
        self.groups = groups
        self.texts = texts
        isComplete = query.excluded.isEmpty
        text = "text index (\(texts.map(\.name).joined(separator: ", "))): \(query.text)"
    }

    /// Calls `body` with the objects, in order, and with whether their texts are known to match, until it returns false.
    ///
    /// - Parameter wantsFew: Whether `body` is expected to return false soon: then less is read before the first objects come.
    /// - Returns: Whether `body` never returned false.
    func forEach(
        _ view: StoreView,
        _ stored: StoredClass,
        wantsFew: Bool = false,
        _ body: (ObjectID, _ isProven: Bool) -> Bool
    ) throws(ObjectStoreError) -> Bool {
        var groups = groups
        var hasWindows = true
        for group in groups.indices {
            for place in groups[group].indices {
                try groups[group][place].begin(view)
                hasWindows = hasWindows && groups[group][place].hasWindows
            }
        }
        let last = TextBlock.shard(of: stored.lastRow.load(ordering: .relaxed))
        var next: UInt64? = 0
        // Where there are many results, the first window has enough.
        var wantsFew = wantsFew && hasWindows
        while let shard = next {
            var foundSome = false
            for window in TextWindow.windows(shard, wantsFew: wantsFew) {
                let found = try Self.find(&groups, window, view)
                for finding in found {
                    let id = ObjectID(class: stored.number, row: window.first | UInt64(finding.row))
                    guard body(id, isComplete && finding.isProven) else { return false }
                }
                foundSome = foundSome || !found.isEmpty
            }
            wantsFew = false
            // Many of the following shards may be empty, if rows are far apart.
            next = foundSome && shard < last ? shard + 1 : try nextShard(from: shard + 1, groups, view)
        }
        return true
    }

    private static func find(_ groups: inout [[TextPatternScan]], _ window: TextWindow, _ view: StoreView) throws(ObjectStoreError)
        -> TextFindings
    {
        var found: TextFindings?
        for group in groups.indices {
            var some = TextFindings()
            for place in groups[group].indices { some = some.union(try groups[group][place].find(in: window, view)) }
            some = found?.intersection(some) ?? some
            if some.isEmpty { return [] }
            found = some
        }
        return found ?? []
    }

    private func nextShard(from shard: UInt64, _ groups: [[TextPatternScan]], _ view: StoreView) throws(ObjectStoreError) -> UInt64? {
        let recent = groups.joined().compactMap { $0.nextRecent(from: shard << TextBlock.shardBits) }.min().map(TextBlock.shard)
        return [recent, try TextScanning.nextShard(of: texts, from: shard, view)].compactMap(\.self).min()
    }
}
