import CairnCore

/// A view of a ``SealedEngine``: decrypts what is read, and presents names in their order.
final class SealedView: EngineView {
    let engine: SealedEngine
    let base: any EngineView
    var version: EngineVersion { base.version }

    init(engine: SealedEngine, base: any EngineView) {
        self.engine = engine
        self.base = base
    }

    func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(EngineError) -> Bool {
        switch SealedForm.Kind(key) {
        case .encryption: return false
        case .identity: return try base.lendValue(for: key, to: body)
        case .name:
            guard let value = try named(key) else { return false }
            value.withBytes { body($0) }
            return true
        case .value(let isEntry):
            var outcome: Result<[UInt8], EngineError> = .success([])
            let isThere = try base.lendValue(for: key) { sealed in
                outcome = Result { () throws(EngineError) in try open(sealed, at: key, isEntry) }
            }
            guard isThere else { return false }
            try outcome.get().withBytes { body($0) }
            return true
        }
    }

    func lendValues(for keys: KeyList, to body: (Int, RawSpan?) -> Void) throws(EngineError) {
        var stored = KeyList()
        stored.isSorted = keys.isSorted
        for index in 0..<keys.count {
            if case .name = SealedForm.Kind(keys[index]) {
                stored.isSorted = false
                stored.append(engine.form.storedKey(ofName: keys[index]))
            } else {
                stored.append(keys[index])
            }
        }
        var failure: EngineError?
        try base.lendValues(for: stored) { index, sealed in
            guard failure == nil else { return }
            guard let sealed else { return body(index, nil) }
            do throws(EngineError) {
                switch SealedForm.Kind(keys[index]) {
                case .encryption: body(index, nil)
                case .identity: body(index, sealed)
                case .name: try openName(sealed, at: stored[index]).value.withBytes { body(index, $0) }
                case .value(let isEntry): try open(sealed, at: keys[index], isEntry).withBytes { body(index, $0) }
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
    }

    func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {
        let parts = SealedRange.parts(of: range)
        for part in reverse ? parts.reversed() : parts {
            let goesOn = part.holdsNames ? try lendNames(part.range, reverse, body) : try lend(part.range, reverse, body)
            guard goesOn else { return }
        }
    }

    func lendEntries(inEach ranges: [KeyRange], reverse: Bool, to body: (Int, RawSpan, RawSpan) -> Bool) throws(EngineError) {
        // If ranges may contain names, each is read separately.
        guard ranges.allSatisfy({ $0.isEmpty || SealedRange.isPlainPart($0) }) else {
            return try lendOneByOne(ranges, reverse: reverse, to: body)
        }
        var failure: EngineError?
        try base.lendEntries(inEach: ranges, reverse: reverse) { index, key, sealed in
            do throws(EngineError) { return try lend(sealed, at: key) { body(index, key, $0) } } catch { failure = error }
            return false
        }
        if let failure { throw failure }
    }

    /// Returns whether `body` never returned false.
    private func lend(_ range: KeyRange, _ reverse: Bool, _ body: (RawSpan, RawSpan) -> Bool) throws(EngineError) -> Bool {
        var goesOn = true
        var failure: EngineError?
        try base.lendEntries(in: range, reverse: reverse) { key, sealed in
            do throws(EngineError) { goesOn = try lend(sealed, at: key) { body(key, $0) } } catch {
                failure = error
                return false
            }
            return goesOn
        }
        if let failure { throw failure }
        return goesOn
    }

    /// Lends the plain content of a sealed value.
    private func lend(_ sealed: RawSpan, at key: RawSpan, _ body: (RawSpan) -> Bool) throws(EngineError) -> Bool {
        guard case .value(let isEntry) = SealedForm.Kind(key) else { return body(sealed) }
        return try open(sealed, at: key, isEntry).withBytes { body($0) }
    }

    /// The same for names, which are stored in the order of their hashes: reads all of them.
    private func lendNames(_ range: KeyRange, _ reverse: Bool, _ body: (RawSpan, RawSpan) -> Bool) throws(EngineError) -> Bool {
        var found: [(key: [UInt8], value: [UInt8])] = []
        var failure: EngineError?
        try base.lendEntries(in: SealedRange.names, reverse: false) { key, sealed in
            do throws(EngineError) {
                let entry = try openName(sealed, at: key)
                if range.contains(entry.key) { found.append(entry) }
            } catch { failure = error }
            return failure == nil
        }
        if let failure { throw failure }
        found.sort { $0.key.lexicographicallyPrecedes($1.key) }
        if reverse { found.reverse() }
        for entry in found {
            let goesOn = entry.key.withBytes { key in entry.value.withBytes { value in body(key, value) } }
            guard goesOn else { return false }
        }
        return true
    }

    // MARK: Decrypting

    /// The plain value of an entry that is not a name; `nil` if it cannot be decrypted.
    func opened(_ sealed: [UInt8], at key: [UInt8]) -> [UInt8]? {
        unsafe try? open(sealed.span.bytes, at: key.span.bytes, key.first == Keyspace.entryKind)
    }

    private func named(_ key: RawSpan) throws(EngineError) -> [UInt8]? {
        let storedKey = engine.form.storedKey(ofName: key)
        guard let sealed = try base.get(storedKey) else { return nil }
        return try sealed.withBytes { sealed throws(EngineError) in
            try storedKey.withBytes { storedKey throws(EngineError) in try openName(sealed, at: storedKey).value }
        }
    }

    private func open(_ sealed: RawSpan, at key: RawSpan, _ isEntry: Bool) throws(EngineError) -> [UInt8] {
        if isEntry, sealed.byteCount == 0 { return [] }
        let plain: [UInt8]
        do { plain = try engine.form.open(sealed, at: key) } catch { throw engine.damaged(key, error) }
        guard GroupKeys.mayHaveGroups(plain, at: key) else { return plain }
        return try engine.groups.opened(plain, at: key, version) { key throws(EngineError) in try get(key) }
    }

    private func openName(_ sealed: RawSpan, at storedKey: RawSpan) throws(EngineError) -> (key: [UInt8], value: [UInt8]) {
        do { return try engine.form.openName(sealed, at: storedKey) } catch { throw engine.damaged(storedKey, error) }
    }
}

extension StoreView {
    /// The same state with values as the engine stores them, so that damaged ones can be read. In an encrypted store, reads are not recorded.
    var asStored: StoreView { (engineView as? SealedView).map { StoreView($0.base) } ?? self }

    /// The plain value of an entry of ``asStored`` that is not a name; `nil` if it cannot be decrypted.
    func opened(_ value: [UInt8], at key: [UInt8]) -> [UInt8]? {
        guard let sealed = engineView as? SealedView else { return value }
        return sealed.opened(value, at: key)
    }
}
