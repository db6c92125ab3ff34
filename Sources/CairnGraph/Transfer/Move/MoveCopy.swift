import CairnCore

/// The copy of a store's entries to another engine.
struct MoveCopy: Sendable {
    private let source: any StorageEngine
    private let destination: any StorageEngine
    private let name: String
    private var mark: MoveMark
    /// The state that is copied. If the engine did not keep it for long enough, the copy has entries of several states, until it catches up again.
    private(set) var state: RenewedView
    /// All keys before this one were compared; `nil` if all were.
    private(set) var verified: [UInt8]? = []
    private(set) var report = ObjectStoreMove.Report()
    /// Whether a key of an encrypted store was replaced in the copy, or deleted there.
    private(set) var hasReplacedKeys = false

    private static var keysAtOnce: Int { 1024 }

    /// The number of commits that are sent at once: a server that takes only small ones syncs several together.
    private var commitsAtOnce: Int { destination.isRemote && destination.limits.maximumCommitOperations != nil ? 8 : 1 }

    init(_ move: ObjectStoreMove, _ start: ObjectStoreMove.Start) throws(ObjectStoreError) {
        source = move.source
        destination = move.destination
        name = move.destinationName
        mark = start.mark
        state = try RenewedView(move.source)
    }

    /// Copies all entries that have not been copied yet.
    mutating func copyAll(_ step: (Double) throws(ObjectStoreError) -> Void) throws(ObjectStoreError) {
        while true {
            var commits: [KeyedCommit] = []
            var next: [UInt8]? = mark.next
            // The last one is performed alone.
            while let start = next, commits.count < (commitsAtOnce > 1 ? commitsAtOnce + 1 : 1) {
                let portion = try portion(KeyRange(lowerBound: start, upperBound: nil), &state)
                var commit = KeyedCommit(key: portion.entries.first?.key ?? [])
                for (key, value) in portion.entries { commit.commit.put(value, for: key) }
                commits.append(commit)
                next = portion.end
            }
            // The mark says that all before it was copied, so it is written once that is so.
            var last = commits.removeLast()
            try perform(commits)
            if let next { mark.next = next }
            last.commit.put(mark.encoded(), for: Keyspace.move)
            try perform([last])
            try step(Self.progress(before: next) / 2)
            guard next != nil else { return }
        }
    }

    /// A rough estimate: keys of classes come first, and most entries are pages and indexes.
    static func progress(before key: [UInt8]?) -> Double { key.map { min(0.99, Double($0.first ?? 0) / 8) } ?? 1 }

    /// Writes what differs from an earlier, unfinished copy. Reads nothing back: all is compared later.
    mutating func repairAll(_ step: (Double) throws(ObjectStoreError) -> Void) throws(ObjectStoreError) {
        var comparison = Comparison(rest: .all, copy: try RenewedView(destination))
        var (differences, parts) = ([(key: [UInt8], value: [UInt8]?)](), 0)
        while let part = try compare(&comparison) {
            differences += part.differences
            report.staleEntries += part.differences.count
            parts += part.differences.isEmpty ? 0 : 1
            if parts == commitsAtOnce || part.end == nil {
                try write(differences)
                (differences, parts) = ([], 0)
            }
            try step(0.5)
        }
    }

    /// Compares the copy with the state that was copied, from ``verified`` on, as far as the engine still has that state.
    ///
    /// - Throws: `corruption` if they differ.
    mutating func verify(_ step: (Double) throws(ObjectStoreError) -> Void) throws(ObjectStoreError) {
        guard let verified else { return }
        var comparison = Comparison(rest: KeyRange(lowerBound: verified, upperBound: nil), copy: try RenewedView(destination))
        while !state.isMixed, let part = try compare(&comparison), !state.isMixed {
            report.note(part.entries)
            if let first = part.differences.first { throw differs(at: first.key) }
            self.verified = part.end
            try step((1 + Self.progress(before: part.end)) / 2)
        }
    }

    /// Copies what was changed since the state that was copied.
    ///
    /// - Parameter next: The state to catch up with.
    mutating func catchUp(with news: MoveNews.Collected, in next: StoreView) throws(ObjectStoreError) {
        state = RenewedView(source, next)
        guard !news.isEverything else { return try repair(.all) }
        for range in news.ranges { try repair(range) }
        let keys = news.keys.filter { $0 != Keyspace.move }.sorted { $0.lexicographicallyPrecedes($1) }
        var start = 0
        while start < keys.count {
            let end = min(start + Self.keysAtOnce, keys.count)
            var list = KeyList(keys[start..<end])
            list.isSorted = true
            let values = try state.read { (view) throws(ObjectStoreError) in try view.values(list) }
            try writeLater(zip(keys[start..<end], values).map { (key: $0, value: $1) })
            start = end
        }
    }

    /// Writes what differs in a range.
    private mutating func repair(_ range: KeyRange) throws(ObjectStoreError) {
        var comparison = Comparison(rest: range, copy: try RenewedView(destination))
        while let part = try compare(&comparison) { try writeLater(part.differences) }
    }

    /// Writes what was saved meanwhile, sorted by key, and reads it back: it may have been compared before.
    private mutating func writeLater(_ changes: [(key: [UInt8], value: [UInt8]?)]) throws(ObjectStoreError) {
        try write(changes)
        var start = 0
        while start < changes.count {
            let end = min(start + Self.keysAtOnce, changes.count)
            var list = KeyList(changes[start..<end].map(\.key))
            list.isSorted = true
            let copies = try StoreView(destination).values(list)
            for (change, copy) in zip(changes[start..<end], copies) where change.value != copy { throw differs(at: change.key) }
            start = end
        }
        report.laterKeys += changes.count
    }

    private mutating func write(_ changes: [(key: [UInt8], value: [UInt8]?)]) throws(ObjectStoreError) {
        if changes.contains(where: { $0.key == Keyspace.encryption || $0.key.first == Keyspace.groupKind }) { hasReplacedKeys = true }
        var rest = changes[...]
        var commits: [KeyedCommit] = []
        while let first = rest.first {
            var commit = KeyedCommit(key: first.key)
            var (count, size) = (0, 0)
            while let (key, value) = rest.first {
                size += key.count + (value?.count ?? 0)
                let fits = count < MovePortion.mostEntries(destination.limits) && size <= MovePortion.mostBytes(destination.limits)
                guard count == 0 || fits else { break }
                if let value { commit.commit.put(value, for: key) } else { commit.commit.delete(key) }
                count += 1
                rest.removeFirst()
            }
            commits.append(commit)
            if commits.count == commitsAtOnce || rest.isEmpty {
                try perform(commits)
                commits = []
            }
        }
    }

    private func differs(at key: [UInt8]) -> ObjectStoreError {
        ObjectStoreError(
            .corruption,
            "the copy at \(name) differs from the store at the key \(unsafe hexadecimal(key.span.bytes)): it was written to by others, or its engine is defective"
        )
    }

    /// A commit, with the first key that it writes, for messages.
    private struct KeyedCommit {
        let key: [UInt8]
        var commit = EngineCommit()
    }

    /// Performs commits at once.
    private func perform(_ commits: [KeyedCommit]) throws(ObjectStoreError) {
        try mark.perform(commits.map(\.commit), on: destination) { index, error in
            guard error.code == .tooLarge else { return error }
            let key = commits[index].key
            let place = unsafe hexadecimal(key.span.bytes)
            return ObjectStoreError(.tooLarge, "\(name) refuses entries from the key \(place) on: \(error.message)", cause: error)
        }
    }

    /// A comparison of a range, portion by portion.
    private struct Comparison {
        /// The rest of the range, which has not been compared.
        var rest: KeyRange?
        var copy: RenewedView
    }

    /// A part of the range that is compared.
    private struct Part {
        /// The entries of the store.
        var entries: [(key: [UInt8], value: [UInt8])]
        /// The values that the copy must have, `nil` for no entry, where they differ.
        var differences: [(key: [UInt8], value: [UInt8]?)] = []
        /// Where the next part begins.
        var end: [UInt8]?
    }

    /// Compares the next part; returns `nil` at the end of the range.
    private mutating func compare(_ comparison: inout Comparison) throws(ObjectStoreError) -> Part? {
        guard let range = comparison.rest else { return nil }
        let portions = (old: try portion(range, &state), new: try portion(range, &comparison.copy))
        // The range that both sides have read completely.
        let end = [portions.old.end, portions.new.end].compactMap(\.self).min { $0.lexicographicallyPrecedes($1) }
        var part = Part(entries: portions.old.entries(before: end), end: end)
        var rest = portions.new.entries(before: end)[...]
        for entry in part.entries {
            while let next = rest.first, next.key.lexicographicallyPrecedes(entry.key) {
                part.differences.append((next.key, nil))
                rest.removeFirst()
            }
            if let next = rest.first, next.key == entry.key {
                rest.removeFirst()
                if next.value == entry.value { continue }
            }
            part.differences.append(entry)
        }
        for next in rest { part.differences.append((next.key, nil)) }
        comparison.rest = end.map { KeyRange(lowerBound: $0, upperBound: range.upperBound) }
        return part
    }

    private func portion(_ range: KeyRange, _ state: inout RenewedView) throws(ObjectStoreError) -> MovePortion {
        try state.read { (view) throws(ObjectStoreError) in try MovePortion(view, range, destination.limits) }
    }
}

/// Entries that fit one commit.
struct MovePortion {
    private(set) var entries: [(key: [UInt8], value: [UInt8])] = []
    /// Where the next entries begin; `nil` if these are the last of the range.
    private(set) var end: [UInt8]?

    init(_ view: StoreView, _ range: KeyRange, _ limits: EngineLimits) throws(ObjectStoreError) {
        var size = 0
        var (entries, end) = (self.entries, self.end)
        try view.lendEntries(in: range) { key, value in
            let more = key.byteCount + value.byteCount
            guard entries.isEmpty || entries.count < Self.mostEntries(limits) && size + more <= Self.mostBytes(limits) else {
                end = [UInt8](copying: key)
                return false
            }
            size += more
            let key = [UInt8](copying: key)
            // The move marks of the two stores differ.
            if key != Keyspace.move { entries.append((key, [UInt8](copying: value))) }
            return true
        }
        (self.entries, self.end) = (entries, end)
    }

    func entries(before end: [UInt8]?) -> [(key: [UInt8], value: [UInt8])] {
        guard let end else { return entries }
        return entries.filter { $0.key.lexicographicallyPrecedes(end) }
    }

    /// Leaves room for writing and reading the mark.
    static func mostEntries(_ limits: EngineLimits) -> Int { max(1, min(4096, limits.maximumCommitOperations ?? .max) - 2) }
    static func mostBytes(_ limits: EngineLimits) -> Int { max(1, min(4 << 20, limits.maximumCommitSize ?? .max) - 1024) }
}

extension ObjectStoreMove.Report {
    fileprivate mutating func note(_ entries: [(key: [UInt8], value: [UInt8])]) {
        self.entries += entries.count
        for (key, value) in entries { bytes += key.count + value.count }
    }
}

extension StoreView {
    /// Copies of the values of keys, in their order.
    fileprivate func values(_ keys: KeyList) throws(ObjectStoreError) -> [[UInt8]?] {
        var values: [[UInt8]?] = []
        try lendValues(for: keys) { _, value in
            // A span cannot be passed to map.
            if let value { values.append([UInt8](copying: value)) } else { values.append(nil) }
        }
        return values
    }
}
