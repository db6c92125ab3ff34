import CairnCore
import Synchronization

/// How recent texts are stored, in keys after those of the blocks:
///
/// ```
/// 07, index, FF FF FF FF              varints: the epoch, the number of portions, the size of the last in bytes, the number of entries
/// 07, index, FF FF FF FF, portion     entries: the row; the former text; the text as saved. A text: 0, or its size + 1 and its UTF-8.
///                                     Numbers are varints, but the portion's in the key has two bytes
/// ```
extension RecentTexts {
    /// A portion of this size is not added to.
    private static let portionSize = 1024

    // MARK: Reading

    /// Reads the recent texts, or what is new of them since they were last read.
    ///
    /// - Parameter usesKnown: Whether what was read before counts.
    static func read(
        _ text: StoredText,
        _ view: StoreView,
        usesKnown: Bool = true
    ) throws(ObjectStoreError) -> RecentTexts {
        var header: Header?
        var isValid = true
        let key = Keyspace.recentTexts(text.number)
        _ = unsafe try view.lendValue(for: key.span.bytes) { bytes in
            header = Header(bytes)
            isValid = header != nil
        }
        guard isValid else { throw TextChanges.damage(text.number) }
        guard let header else { return RecentTexts() }
        var recent = RecentTexts()
        if usesKnown, let known = text.recent.texts, known.epoch == header.epoch, known.entries.count <= header.entryCount {
            recent = known
        }
        guard recent.entries.count < header.entryCount else { return recent }
        try recent.readPortions(text, header, view)
        text.recent.update(recent)
        return recent
    }

    private mutating func readPortions(_ text: StoredText, _ header: Header, _ view: StoreView) throws(ObjectStoreError) {
        guard header.portionCount <= Self.mostEntries else { throw TextChanges.damage(text.number) }
        let first = max(portionCount - 1, 0)
        var known = lastSize
        epoch = header.epoch
        var keys = KeyList()
        keys.isSorted = true
        for portion in first..<max(header.portionCount, first) { keys.append(Keyspace.recentTexts(text.number, portion: portion)) }
        var isValid = true
        try view.lendValues(for: keys) { _, bytes in
            guard isValid, let bytes, bytes.byteCount >= known else {
                isValid = false
                return
            }
            isValid = read(bytes.extracting(known..<bytes.byteCount))
            lastSize = bytes.byteCount
            known = 0
        }
        portionCount = header.portionCount
        isValid = isValid && lastSize == header.lastSize && entries.count == header.entryCount
        guard isValid else { throw TextChanges.damage(text.number) }
    }

    // MARK: Writing

    /// Whether this much more would be too much.
    func isFull(count: Int, size: Int) -> Bool { entries.count + count > Self.mostEntries || bytes.count + size > Self.mostBytes }

    /// Adds texts.
    mutating func add(_ edits: [TextEdit], _ text: StoredText, to commit: inout EngineCommit) {
        for edit in edits {
            if portionCount == 0 || lastSize >= Self.portionSize {
                if portionCount > 0 { putPortion(text, &commit) }
                (portionCount, lastSize) = (portionCount + 1, 0)
            }
            append(edit)
        }
        putPortion(text, &commit)
        commit.put(Header(self).bytes, for: Keyspace.recentTexts(text.number))
    }

    private func putPortion(_ text: StoredText, _ commit: inout EngineCommit) {
        commit.put(Array(bytes.suffix(lastSize)), for: Keyspace.recentTexts(text.number, portion: portionCount - 1))
    }

    /// Removes all of them.
    func delete(_ text: StoredText, from commit: inout EngineCommit) { for key in keys(text) { commit.delete(key) } }

    /// The keys under which they are stored.
    func keys(_ text: StoredText) -> [[UInt8]] {
        guard portionCount > 0 else { return [] }
        return [Keyspace.recentTexts(text.number)] + (0..<portionCount).map { Keyspace.recentTexts(text.number, portion: $0) }
    }

    private struct Header {
        let epoch: UInt64
        let portionCount: Int
        let lastSize: Int
        let entryCount: Int

        init(_ recent: RecentTexts) {
            (epoch, portionCount, lastSize) = (recent.epoch, recent.portionCount, recent.lastSize)
            entryCount = recent.entries.count
        }

        init?(_ bytes: RawSpan) {
            var numbers: [UInt64] = []
            var position = 0
            while numbers.count < 4, let number = try? Varint.decode(bytes, at: &position) { numbers.append(number) }
            guard numbers.count == 4, position == bytes.byteCount, numbers[1...].allSatisfy({ 1...UInt64(UInt32.max) ~= $0 }) else {
                return nil
            }
            epoch = numbers[0]
            (portionCount, lastSize, entryCount) = (Int(numbers[1]), Int(numbers[2]), Int(numbers[3]))
        }

        var bytes: [UInt8] {
            var bytes: [UInt8] = []
            for number in [epoch, UInt64(portionCount), UInt64(lastSize), UInt64(entryCount)] { Varint.append(number, to: &bytes) }
            return bytes
        }
    }
}

/// The recent texts of an index as they were last read.
final class RecentTextsCache: Sendable {
    private let known = Mutex<RecentTexts?>(nil)

    var texts: RecentTexts? { known.withLock { $0 } }

    /// Keeps the newer texts.
    func update(_ texts: RecentTexts) {
        known.withLock { known in
            guard let former = known, (former.epoch, former.entries.count) >= (texts.epoch, texts.entries.count) else {
                known = texts
                return
            }
        }
    }
}

extension Keyspace {
    /// `07, index, FF FF FF FF`: what recent texts there are. The key of a portion has the portion's number after it. No row is in such a shard.
    static func recentTexts(_ index: UInt32) -> [UInt8] { texts(index) + bigEndian(UInt32.max) }
    static func recentTexts(_ index: UInt32, portion: Int) -> [UInt8] {
        recentTexts(index) + bigEndian(UInt16(truncatingIfNeeded: portion))
    }
    static func isRecentTexts(_ key: some Collection<UInt8>) -> Bool {
        key.count >= 9 && key.first == textKind && key.dropFirst(5).prefix(4).allSatisfy { $0 == 0xFF }
    }
}
