import CairnCore

/// A view of the store's engine that throws the store's own errors. The closures that it lends bytes to may throw too, which ends the reading.
struct StoreView: Sendable {
    let engineView: any EngineView

    init(_ view: any EngineView) { engineView = view }

    /// The state of an engine now.
    init(_ engine: any StorageEngine) throws(ObjectStoreError) {
        do { engineView = try engine.makeView() } catch { throw ObjectStoreError(error) }
    }

    var version: EngineVersion { engineView.version }

    /// Lends the value of a key; returns whether there is one.
    @discardableResult
    @inline(__always)
    func lendValue(for key: RawSpan, to body: (RawSpan) throws(ObjectStoreError) -> Void) throws(ObjectStoreError) -> Bool {
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
        var failure: ObjectStoreError?
        do throws(EngineError) {
            try engineView.lendEntries(in: range, reverse: reverse) { key, value in
                do throws(ObjectStoreError) { return try body(key, value) } catch {
                    failure = error
                    return false
                }
            }
        } catch {
            throw failure ?? ObjectStoreError(error)
        }
        if let failure { throw failure }
    }

    /// Same, for a range that may be most of the store.
    @inline(__always)
    func lendAllEntries(
        in range: KeyRange,
        to body: (_ key: RawSpan, _ value: RawSpan) throws(ObjectStoreError) -> Bool
    ) throws(ObjectStoreError) {
        var failure: ObjectStoreError?
        do throws(EngineError) {
            try engineView.lendAllEntries(in: range) { key, value in
                do throws(ObjectStoreError) { return try body(key, value) } catch {
                    failure = error
                    return false
                }
            }
        } catch {
            throw failure ?? ObjectStoreError(error)
        }
        if let failure { throw failure }
    }

    // MARK: Copies

    func get(_ key: [UInt8]) throws(ObjectStoreError) -> [UInt8]? {
        do { return try engineView.get(key) } catch { throw ObjectStoreError(error) }
    }

    func contains(_ key: [UInt8]) throws(ObjectStoreError) -> Bool {
        do { return try engineView.contains(key) } catch { throw ObjectStoreError(error) }
    }

    func multiGet(_ keys: KeyList) throws(ObjectStoreError) -> [[UInt8]?] {
        do { return try engineView.multiGet(keys) } catch { throw ObjectStoreError(error) }
    }

    func entries(_ range: KeyRange = .all, limit: Int? = nil) throws(ObjectStoreError) -> [(key: [UInt8], value: [UInt8])] {
        do { return try engineView.entries(range, limit: limit) } catch { throw ObjectStoreError(error) }
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
}
