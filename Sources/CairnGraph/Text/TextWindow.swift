/// Adjacent blocks of a shard that a search looks at together.
struct TextWindow {
    let shard: UInt64
    let blocks: Range<Int>

    var isWholeShard: Bool { blocks.count == TextBlock.blocksInShard }
    /// The rows, counted from the first of the store.
    var rows: Range<UInt64> { row(blocks.lowerBound)..<row(blocks.upperBound) }
    /// The first row of the shard.
    var first: UInt64 { shard << TextBlock.shardBits }

    private func row(_ block: Int) -> UInt64 { first + UInt64(block) << TextBlock.rowBits }

    /// The windows of a shard: one, or if few results are wanted, a single block, some more, and the rest.
    static func windows(_ shard: UInt64, wantsFew: Bool) -> [TextWindow] {
        let bounds = wantsFew ? [0, 1, 4, TextBlock.blocksInShard] : [0, TextBlock.blocksInShard]
        return zip(bounds, bounds.dropFirst()).map { TextWindow(shard: shard, blocks: $0..<$1) }
    }
}
