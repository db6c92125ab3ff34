import CairnCore

extension EngineReads {
    /// Throws `conflict` unless everything read is the same in `now` as in ``view``.
    ///
    /// Compares bytes, so a key that was changed and changed back is not a conflict.
    ///
    /// - Complexity: Reads all keys and ranges again, in both views.
    func check(against now: any EngineView) throws(EngineError) {
        for index in 0..<keys.count {
            guard try Self.isSame(keys[index], in: view, and: now) else {
                throw Self.conflict("a key", [UInt8](copying: keys[index]))
            }
        }
        for range in ranges { try Self.check(range, in: view, against: now) }
    }

    private static func isSame(_ key: RawSpan, in one: any EngineView, and other: any EngineView) throws(EngineError) -> Bool {
        var outcome = Result<Bool, EngineError>.success(true)
        let isThere = try one.lendValue(for: key) { before in
            outcome = Result { () throws(EngineError) in
                var isSame = false
                return try other.lendValue(for: key) { isSame = $0.hasSameBytes(as: before) } && isSame
            }
        }
        if isThere { return try outcome.get() }
        return try !other.lendValue(for: key) { _ in }
    }

    /// Compares the views, a few entries at a time.
    private static func check(_ range: KeyRange, in one: any EngineView, against other: any EngineView) throws(EngineError) {
        let limit = 100
        var rest = range
        while true {
            let before = try one.entries(rest, limit: limit)
            let after = try other.entries(rest, limit: limit)
            for (old, new) in zip(before, after) where old != new {
                throw conflict("an entry of a range", old.key.lexicographicallyPrecedes(new.key) ? old.key : new.key)
            }
            guard before.count == after.count else {
                let longer = before.count > after.count ? before : after
                throw conflict("an entry of a range", longer[min(before.count, after.count)].key)
            }
            guard before.count == limit, let last = before.last?.key else { return }
            rest.lowerBound = last + [0]
        }
    }

    private static func conflict(_ what: String, _ key: [UInt8]) -> EngineError {
        let message =
            "\(what) that the commit depends on was changed by another commit since it was read; nothing was written: read again and retry"
        return EngineError(conflict: message, key: key)
    }
}
