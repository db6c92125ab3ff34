import CairnCore

/// A view of the store's engine that throws the store's own errors. The closures that it lends bytes to may throw too, which ends the reading.
struct StoreView: Sendable {
    let engineView: any EngineView
    /// Where to note what is read, if a commit depends on it.
    private let reads: ReadRecord?

    init(_ view: any EngineView) {
        engineView = view
        reads = nil
    }

    /// The state of an engine now.
    ///
    /// - Parameter notesReads: Whether a commit will depend on what is read (``dependOnReads(_:)``).
    init(_ engine: any StorageEngine, notesReads: Bool = false) throws(ObjectStoreError) {
        do { engineView = try engine.makeView() } catch { throw ObjectStoreError(error) }
        reads = notesReads ? ReadRecord() : nil
    }

    private init(_ view: any EngineView, _ reads: ReadRecord) {
        engineView = view
        self.reads = reads
    }

    /// The same state, with a note of what is read from now on.
    func notingReads() -> StoreView { StoreView(engineView, ReadRecord()) }

    /// Makes a commit fail if another commit has changed anything that was read.
    func dependOnReads(_ commit: inout EngineCommit) { reads?.add(to: &commit, in: engineView) }

    /// Notes a read that was not made here, or need not be made.
    func noteRead(_ key: [UInt8]) { unsafe reads?.add(key.span.bytes) }
    func noteRead(_ range: KeyRange) { reads?.add(range) }

    /// Whether a read of a key was noted, by itself or as part of a range.
    func hasNoted(_ key: [UInt8]) -> Bool { reads?.contains(key) ?? false }

    var version: EngineVersion { engineView.version }

    /// Lends the value of a key; returns whether there is one.
    @discardableResult
    @inline(__always)
    func lendValue(for key: RawSpan, to body: (RawSpan) throws(ObjectStoreError) -> Void) throws(ObjectStoreError) -> Bool {
        reads?.add(key)
        var failure: ObjectStoreError?
        let isThere: Bool
        do throws(EngineError) {
            isThere = try engineView.lendValue(for: key) { value in
                do throws(ObjectStoreError) { try body(value) } catch { failure = error }
            }
        } catch {
            throw failure ?? ObjectStoreError(error)
        }
        if let failure { throw failure }
        return isThere
    }

    /// Lends the values of keys, in their order.
    @inline(__always)
    func lendValues(
        for keys: KeyList,
        to body: (_ index: Int, _ value: RawSpan?) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) {
        reads?.add(keys)
        var failure: ObjectStoreError?
        do throws(EngineError) {
            try engineView.lendValues(for: keys) { index, value in
                guard failure == nil else { return }
                do throws(ObjectStoreError) { try body(index, value) } catch { failure = error }
            }
        } catch {
            throw failure ?? ObjectStoreError(error)
        }
        if let failure { throw failure }
    }

    /// Lends the entries of a range, until `body` returns false.
    @inline(__always)
    func lendEntries(
        in range: KeyRange,
        reverse: Bool = false,
        to body: (_ key: RawSpan, _ value: RawSpan) throws(ObjectStoreError) -> Bool
    ) throws(ObjectStoreError) {
        try lend(range, reverse: reverse, mayBeMost: false, to: body)
    }

    /// Same, for a range that may be most of the store.
    @inline(__always)
    func lendAllEntries(
        in range: KeyRange,
        to body: (_ key: RawSpan, _ value: RawSpan) throws(ObjectStoreError) -> Bool
    ) throws(ObjectStoreError) {
        try lend(range, reverse: false, mayBeMost: true, to: body)
    }

    /// Lends the entries of several ranges, range by range, until `body` returns false.
    func lendEntries(
        inEach ranges: [KeyRange],
        reverse: Bool = false,
        to body: (_ index: Int, _ key: RawSpan, _ value: RawSpan) throws(ObjectStoreError) -> Bool
    ) throws(ObjectStoreError) {
        if ranges.count == 1 {
            return try lend(ranges[0], reverse: reverse, mayBeMost: false) { key, value throws(ObjectStoreError) in try body(0, key, value)
            }
        }
        var failure: ObjectStoreError?
        // Where the scan ended, if early.
        var end: (index: Int, key: [UInt8])?
        do throws(EngineError) {
            try engineView.lendEntries(inEach: ranges, reverse: reverse) { index, key, value in
                var goesOn = false
                do throws(ObjectStoreError) { goesOn = try body(index, key, value) } catch { failure = error }
                if !goesOn, reads != nil { end = (index, [UInt8](copying: key)) }
                return goesOn
            }
        } catch {
            throw failure ?? ObjectStoreError(error)
        }
        if let reads {
            for range in ranges.prefix(end?.index ?? ranges.count) { reads.add(range) }
            if let end { reads.add(ranges[end.index].part(until: end.key, reverse: reverse)) }
        }
        if let failure { throw failure }
    }

    @inline(__always)
    private func lend(
        _ range: KeyRange,
        reverse: Bool,
        mayBeMost: Bool,
        to body: (_ key: RawSpan, _ value: RawSpan) throws(ObjectStoreError) -> Bool
    ) throws(ObjectStoreError) {
        var failure: ObjectStoreError?
        // The last key, if the scan ended early.
        var last: [UInt8]?
        func lend(_ key: RawSpan, _ value: RawSpan) -> Bool {
            var goesOn = false
            do throws(ObjectStoreError) { goesOn = try body(key, value) } catch { failure = error }
            if !goesOn, reads != nil { last = [UInt8](copying: key) }
            return goesOn
        }
        do throws(EngineError) {
            if mayBeMost {
                try engineView.lendAllEntries(in: range, to: lend)
            } else {
                try engineView.lendEntries(in: range, reverse: reverse, to: lend)
            }
        } catch {
            throw failure ?? ObjectStoreError(error)
        }
        reads?.add(last.map { range.part(until: $0, reverse: reverse) } ?? range)
        if let failure { throw failure }
    }

    // MARK: Copies

    func get(_ key: [UInt8]) throws(ObjectStoreError) -> [UInt8]? {
        noteRead(key)
        do { return try engineView.get(key) } catch { throw ObjectStoreError(error) }
    }

    func contains(_ key: [UInt8]) throws(ObjectStoreError) -> Bool {
        noteRead(key)
        do { return try engineView.contains(key) } catch { throw ObjectStoreError(error) }
    }

    func multiGet(_ keys: KeyList) throws(ObjectStoreError) -> [[UInt8]?] {
        reads?.add(keys)
        do { return try engineView.multiGet(keys) } catch { throw ObjectStoreError(error) }
    }

    func entries(_ range: KeyRange = .all, limit: Int? = nil) throws(ObjectStoreError) -> [(key: [UInt8], value: [UInt8])] {
        do {
            let entries = try engineView.entries(range, limit: limit)
            let last = entries.count == limit ? entries.last?.key : nil
            reads?.add(last.map { range.part(until: $0, reverse: false) } ?? range)
            return entries
        } catch { throw ObjectStoreError(error) }
    }
}

extension EngineCommit {
    /// Notes that the commit depends on what a view shows for a key.
    mutating func read(_ key: some ByteSource & ~Escapable, in view: StoreView) { read(key, in: view.engineView) }
}

extension StorageEngine {
    /// Commits, with the store's own errors.
    @discardableResult
    func perform(_ commit: EngineCommit, durability: Durability) throws(ObjectStoreError) -> EngineVersion {
        do { return try self.commit(commit, durability: durability) } catch { throw ObjectStoreError(error) }
    }

    /// Same; returns `nil` if others have changed what the commit depends on.
    func tryPerform(_ commit: EngineCommit, durability: Durability) throws(ObjectStoreError) -> EngineVersion? {
        guard case .success(let version) = try attempt(commit, durability: durability) else { return nil }
        return version
    }

    /// Same; returns the conflict if others have changed what the commit depends on.
    func attempt(_ commit: EngineCommit, durability: Durability) throws(ObjectStoreError) -> Result<EngineVersion, EngineError> {
        do { return .success(try self.commit(commit, durability: durability)) } catch {
            guard error.code == .conflict else { throw ObjectStoreError(error) }
            return .failure(error)
        }
    }
}
