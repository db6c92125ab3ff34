import CairnCore

extension ObjectStoreMove {
    /// What a move would copy, and what the destination would refuse.
    public struct Check: Sendable, Hashable {
        /// The number of entries in the store.
        public internal(set) var entries = 0
        /// The size of their keys and values, in bytes.
        public internal(set) var bytes = 0
        /// The size of the longest key, in bytes.
        public internal(set) var longestKey = 0
        /// The size of the longest value, in bytes.
        public internal(set) var longestValue = 0
        /// The reasons why the move would fail; empty if it would not.
        public internal(set) var problems: [String] = []
        /// Whether there is nothing to do, because an earlier run has completed the move.
        public internal(set) var isDone = false
    }

    /// Finds out what a move would do, without changing anything.
    ///
    /// - Parameter progress: Called with the completed part, from 0 to 1, on any thread.
    /// - Throws: ``ObjectStoreError``: `notFound` if the source has no store; what the engines throw; `cancelled`.
    /// - Complexity: Reads the source once.
    public func check(progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }) async throws(ObjectStoreError) -> Check {
        beginReading()
        defer { endReading() }
        return try await ObjectStore.offPool("check the move to \(destinationName)", progress) { step throws(ObjectStoreError) in
            try checking(step)
        }
    }

    private func checking(_ step: (Double) throws(ObjectStoreError) -> Void) throws(ObjectStoreError) -> Check {
        var state = try RenewedView(source)
        guard try state.view.contains(Keyspace.header) else { throw ObjectStoreError(.notFound, "there is no object store to move") }
        var check = Check()
        var next: [UInt8]? = []
        while let start = next {
            let (part, end) = try state.read { (view) throws(ObjectStoreError) in try Check.part(view, from: start) }
            check.add(part)
            next = end
            if let next { try step(MoveCopy.progress(before: next)) }
        }
        let limits = destination.limits
        func compare(_ what: String, _ size: Int, _ limit: Int?, _ advice: String? = nil) {
            guard let limit, size > limit else { return }
            let advice = advice.map { "; \($0)" } ?? ""
            check.problems.append("the longest \(what) has \(size) bytes, but \(destinationName) allows only \(limit)\(advice)")
        }
        compare("key", check.longestKey, limits.maximumKeySize)
        compare("value", check.longestValue, limits.maximumValueSize, limits.advice)
        compare("entry", check.longestKey + check.longestValue, limits.maximumCommitSize, limits.advice)
        do throws(ObjectStoreError) {
            check.isDone = try findStart() == nil
            if !check.isDone { try checkSource(writes: false) }
        } catch {
            guard error.code != .unavailable else { throw error }
            check.problems.append(error.message)
        }
        try step(1)
        return check
    }
}

extension ObjectStoreMove.Check {
    private static var entriesAtOnce: Int { 65_536 }

    /// The sizes of some entries, and the key where the next ones begin; `nil` if these are the last.
    fileprivate static func part(_ view: StoreView, from start: [UInt8]) throws(ObjectStoreError) -> (Self, end: [UInt8]?) {
        var (part, end) = (Self(), nil as [UInt8]?)
        try view.lendAllEntries(in: KeyRange(lowerBound: start, upperBound: nil)) { key, value in
            guard part.entries < entriesAtOnce else {
                end = [UInt8](copying: key)
                return false
            }
            part.entries += 1
            part.bytes += key.byteCount + value.byteCount
            part.longestKey = max(part.longestKey, key.byteCount)
            part.longestValue = max(part.longestValue, value.byteCount)
            return true
        }
        return (part, end)
    }

    fileprivate mutating func add(_ part: Self) {
        entries += part.entries
        bytes += part.bytes
        longestKey = max(longestKey, part.longestKey)
        longestValue = max(longestValue, part.longestValue)
    }
}
