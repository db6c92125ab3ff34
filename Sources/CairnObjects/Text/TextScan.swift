import CairnCore
import Synchronization

/// The objects whose texts may be what a query looks for, by their text indexes: all that are, and some of which the indexes cannot tell.
struct TextScan {
    let text: String
    private let texts: [StoredText]
    /// Of each group one pattern must be found, in one of the texts.
    private let groups: [[TextPatternScan]]
    /// Whether nothing else is asked.
    private let isComplete: Bool

    /// - Returns: `nil` where the indexes do not help: then all objects are asked.
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

    /// Calls `body` with the objects, in order, until it returns false, and whether their texts are what is looked for.
    ///
    /// - Returns: Whether it never did.
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
            // Many that follow may be empty, where rows are far apart.
            // Behind the last row there are none, unless the store is damaged: they are found all the same.
            let isDense = found?.isEmpty == false && shard < last
            next = isDense ? shard + 1 : try TextScanning.nextShard(of: texts, from: shard + 1, view)
        }
        return true
    }
}
