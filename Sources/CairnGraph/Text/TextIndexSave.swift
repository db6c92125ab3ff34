import CairnCore
import Synchronization

/// The changes of a save in a text index. A few are added to the recent texts; more are written to blocks, together with the recent texts.
struct TextIndexSave {
    let text: StoredText
    private let unused: Range<UInt64>
    /// While there are few: the changes, and their size.
    private var edits: [TextEdit] = []
    private var size = 0
    /// Set once changes go to blocks.
    private var blocks: Blocks?

    /// Changes on the way to blocks.
    private struct Blocks {
        /// The changes of one shard.
        var changes: TextChanges
        let recent: RecentTexts
        /// The recent texts whose rows are yet to come.
        var waiting: ArraySlice<TextEdit>
    }

    /// - Parameter unused: Rows for which nothing is stored yet.
    init(_ text: StoredText, unused: Range<UInt64>) {
        self.text = text
        self.unused = unused
    }

    /// Prepares for rows of a page. Pages come in order.
    ///
    /// - Parameters:
    ///   - first: The page's first row.
    ///   - writesBlocks: Whether no text may be kept among the recent ones.
    mutating func begin(_ first: UInt64, writesBlocks: Bool, _ commit: inout EngineCommit, _ view: StoreView) throws(ObjectStoreError) {
        let isLarge = edits.count > RecentTexts.mostEntries || size > RecentTexts.mostBytes
        if blocks == nil, writesBlocks || isLarge { try beginBlocks(&commit, view) }
        guard blocks != nil else { return }
        try moveWaiting(before: first, &commit, view)
        try moveTo(shard: TextBlock.shard(of: first), &commit, view)
    }

    /// Changes the text of a row of the page.
    mutating func change(_ row: UInt64, from former: [UInt8]?, to form: [UInt8]?) {
        guard blocks == nil else { return changeBlocks(row, former, form) }
        let edit = TextEdit(row: row, former: former, form: form)
        edits.append(edit)
        size += edit.size
    }

    /// Removes a row of the page whose text is unknown. ``begin(_:writesBlocks:_:_:)`` was called with `true`.
    ///
    /// - Parameter found: What blocks have of it, as bytes of keys.
    mutating func remove(_ row: UInt64, _ found: [[UInt8]]) {
        takeWaiting(upTo: row)
        blocks?.changes.remove(row, found)
    }

    /// Writes what is left.
    mutating func finish(_ commit: inout EngineCommit, _ view: StoreView) throws(ObjectStoreError) {
        guard blocks == nil else {
            try moveWaiting(before: .max, &commit, view)
            try blocks?.changes.write(into: &commit, view, unused: unused)
            blocks?.recent.delete(text, from: &commit)
            return
        }
        guard !edits.isEmpty else { return }
        var recent = try RecentTexts.read(text, view)
        for place in edits.indices {
            if let known = recent.entry(of: edits[place].row) { edits[place].former = recent.text(known.former) }
        }
        guard recent.isFull(count: edits.count, size: size) else {
            if recent.isEmpty { recent.epoch = view.version.rawValue }
            return recent.add(edits, text, to: &commit)
        }
        try moveSome(recent, &commit, view)
    }

    // MARK: Blocks

    /// Sends all changes to blocks, and the recent texts.
    private mutating func beginBlocks(_ commit: inout EngineCommit, _ view: StoreView) throws(ObjectStoreError) {
        let recent = try RecentTexts.read(text, view)
        let changes = TextChanges(text, shard: TextBlock.shard(of: edits.first?.row ?? 0))
        blocks = Blocks(changes: changes, recent: recent, waiting: recent.edits[...])
        let edits = edits
        self.edits = []
        for edit in edits {
            try moveWaiting(before: edit.row, &commit, view)
            try moveTo(shard: TextBlock.shard(of: edit.row), &commit, view)
            changeBlocks(edit.row, edit.former, edit.form)
        }
    }

    /// Changes a row of the current shard.
    private mutating func changeBlocks(_ row: UInt64, _ former: [UInt8]?, _ form: [UInt8]?) {
        guard blocks?.waiting.isEmpty == false else {
            blocks?.changes.change(row, from: former, to: form)
            return
        }
        let known = takeWaiting(upTo: row)
        blocks?.changes.change(row, from: known.map(\.former) ?? former, to: form)
    }

    /// Changes the rows of the current shard that wait before a row. Removes and returns the text that waits for the row itself.
    @discardableResult
    private mutating func takeWaiting(upTo row: UInt64) -> TextEdit? {
        while let edit = blocks?.waiting.first, edit.row <= row {
            blocks?.waiting.removeFirst()
            guard edit.row < row else { return edit }
            blocks?.changes.change(edit.row, from: edit.former, to: edit.form)
        }
        return nil
    }

    private mutating func moveWaiting(before row: UInt64, _ commit: inout EngineCommit, _ view: StoreView) throws(ObjectStoreError) {
        while let edit = blocks?.waiting.first, edit.row < row {
            try moveTo(shard: TextBlock.shard(of: edit.row), &commit, view)
            blocks?.waiting.removeFirst()
            blocks?.changes.change(edit.row, from: edit.former, to: edit.form)
        }
    }

    /// Writes the changes of the shard, and begins another.
    private mutating func moveTo(shard: UInt64, _ commit: inout EngineCommit, _ view: StoreView) throws(ObjectStoreError) {
        guard let changes = blocks?.changes, changes.shard != shard else { return }
        try changes.write(into: &commit, view, unused: unused)
        let next = TextChanges(text, shard: shard)
        blocks?.changes = next
    }

    // MARK: Making room

    /// Moves recent texts and the changes into blocks until there is room for a few more: the oldest, and with it all others of its block, and
    /// so on. So rows that were inserted together are moved together, and rows of many blocks a few at a time.
    private func moveSome(_ recent: RecentTexts, _ commit: inout EngineCommit, _ view: StoreView) throws(ObjectStoreError) {
        var all: [UInt64: TextEdit] = [:]
        for edit in recent.edits + edits { all[edit.row] = edit }
        var left = (count: all.count, size: all.values.reduce(0) { $0 + $1.size })
        var moved: [TextEdit] = []
        var groups = Dictionary(grouping: all.values) { $0.row >> TextBlock.rowBits }
        let byAge = recent.entries.map(\.row) + edits.map(\.row)
        for row in byAge {
            guard moved.isEmpty || left.count > RecentTexts.mostEntries * 7 / 8 || left.size > RecentTexts.mostBytes * 7 / 8 else { break }
            guard let group = groups.removeValue(forKey: row >> TextBlock.rowBits) else { continue }
            moved += group
            left.count -= group.count
            left.size -= group.reduce(0) { $0 + $1.size }
        }
        for edit in moved { all[edit.row] = nil }
        recent.delete(text, from: &commit)
        let kept = byAge.compactMap { all.removeValue(forKey: $0) }
        if !kept.isEmpty {
            var rest = RecentTexts()
            rest.epoch = view.version.rawValue
            rest.add(kept, text, to: &commit)
        }
        try writeBlocks(moved.sorted { $0.row < $1.row }, &commit, view)
    }

    private func writeBlocks(_ edits: [TextEdit], _ commit: inout EngineCommit, _ view: StoreView) throws(ObjectStoreError) {
        guard let first = edits.first else { return }
        var changes = TextChanges(text, shard: TextBlock.shard(of: first.row))
        for edit in edits {
            let shard = TextBlock.shard(of: edit.row)
            if changes.shard != shard {
                try changes.write(into: &commit, view, unused: unused)
                changes = TextChanges(text, shard: shard)
            }
            changes.change(edit.row, from: edit.former, to: edit.form)
        }
        try changes.write(into: &commit, view, unused: unused)
    }
}
