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
    /// - Returns: Whether `body` never returned false.
    func forEach(_ view: any EngineView, _ stored: StoredClass, _ body: (ObjectID, _ isProven: Bool) -> Bool) throws(ObjectStoreError)
        -> Bool
    {
        var groups = groups
        let last = TextBlock.shard(of: stored.lastRow.load(ordering: .relaxed))
        var next: UInt64? = 0
        while let shard = next {
            var found: TextFindings?
            for group in groups.indices {
                var some = TextFindings()
                for place in groups[group].indices { try groups[group][place].find(in: shard, view, &some) }
                if let found { some.formIntersection(found) }
                found = some
                if some.isEmpty { break }
            }
            let first = shard << TextBlock.shardBits
            let goesOn = found?.forEach { body(ObjectID(class: stored.number, row: first | UInt64($0)), isComplete && $1) }
            guard goesOn ?? true else { return false }
            // Many of the following shards may be empty, if rows are far apart.
            let isDense = found?.isEmpty == false && shard < last
            next = isDense ? shard + 1 : try TextScanning.nextShard(of: texts, from: shard + 1, view)
        }
        return true
    }
}
