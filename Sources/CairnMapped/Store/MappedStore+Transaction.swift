import CairnCore

/// Changes that happen together or not at all; passed to the closure of ``MappedStore/transaction(_:)``.
///
/// Reads see the store with the transaction's changes so far.
public struct MappedTransaction: ~Copyable {
    private let store: MappedStore
    private let view: MappedView
    private(set) var changes = OwnedChanges()

    init(_ store: MappedStore, _ view: MappedView) {
        self.store = store
        self.view = view
    }

    /// Returns the value for `key` within the transaction.
    ///
    /// - Throws: Same as ``MappedStore/get(_:as:)``.
    public func get<Value: MappedValue>(_ key: String, as type: Value.Type = Value.self) throws(MappedStoreError) -> Value? {
        do throws(MappedStoreError) {
            if let change = changes.last(to: key) {
                if change.isRemoval { return nil }
                if let deadline = change.deadline, deadline <= store.milliseconds { return nil }
                return unsafe try Value(stored: changes.bytes.span.bytes.extracting(change.value), as: change.type)
            }
            var result: Value?
            let found: Void? = unsafe try key.withLentBytes { key throws(MappedStoreError) in
                unsafe try store.lend(key, view) { bytes, type throws(MappedStoreError) in result = try Value(stored: bytes, as: type) }
            }
            guard found != nil else { throw store.truncatedError }
            return result
        } catch {
            throw error.about(key)
        }
    }

    /// Returns the value for `key` within the transaction, or `fallback` if there is none.
    ///
    /// - Throws: Same as ``MappedStore/get(_:as:)``.
    public func get<Value: MappedValue>(_ key: String, default fallback: @autoclosure () -> Value) throws(MappedStoreError) -> Value {
        try get(key, as: Value.self) ?? fallback()
    }

    /// Returns whether there is a value for `key` within the transaction.
    ///
    /// - Throws: Same as ``MappedStore/contains(_:)-(String)``.
    public func contains(_ key: String) throws(MappedStoreError) -> Bool {
        if let change = changes.last(to: key) {
            return !change.isRemoval && change.deadline.map { $0 > store.milliseconds } ?? true
        }
        return try store.contains(key)
    }

    /// Sets the value for `key`, or removes it if `value` is `nil`, when the transaction ends.
    ///
    /// - Throws: Same as ``MappedStore/set(_:for:expiresAfter:)-(Value?,_,_)``, except for lack of space.
    public mutating func set<Value: MappedValue>(
        _ value: Value?,
        for key: String,
        expiresAfter lifetime: Duration? = nil
    ) throws(MappedStoreError) {
        guard let value else { return remove(key) }
        try set(value, for: key, deadline: store.deadline(after: lifetime))
    }

    /// Returns the value for `key` with its deadline, which a value that expires while it is updated keeps.
    func getWithDeadline<Value: MappedValue>(
        _ key: String,
        as type: Value.Type = Value.self
    ) throws(MappedStoreError) -> (value: Value, deadline: Int64?)? {
        let deadline = try store.deadline(of: key)
        return try get(key, as: type).map { ($0, deadline) }
    }

    /// Same as ``set(_:for:expiresAfter:)-(Value?,_,_)``; without `lifetime`, keeps the deadline of the former value.
    mutating func update<Value: MappedValue>(
        _ value: Value?,
        for key: String,
        expiresAfter lifetime: Duration?,
        keeping deadline: Int64?
    ) throws(MappedStoreError) {
        guard let value else { return remove(key) }
        try set(value, for: key, deadline: (lifetime == nil ? deadline : nil) ?? store.deadline(after: lifetime))
    }

    /// Same as ``set(_:for:expiresAfter:)-(Value?,_,_)``, until a point in time: milliseconds since 1970.
    package mutating func set(_ value: some MappedValue, for key: String, deadline: Int64?) throws(MappedStoreError) {
        try value.withStoredBytes { bytes, type throws(MappedStoreError) in try changes.set(bytes, type, for: key, deadline: deadline) }
    }

    /// Removes the value for `key` when the transaction ends.
    public mutating func remove(_ key: String) { changes.remove(key) }
}

extension MappedStore {
    /// Makes several changes that happen together or not at all, even if the process or the machine dies in the middle.
    ///
    /// ```swift
    /// try store.transaction { changes in
    ///     let credit = try changes.get("credit", default: 0)
    ///     try changes.set(credit - 5, for: "credit")
    ///     try changes.set(true, for: "paid")
    /// }
    /// ```
    ///
    /// No other thread or process can change the store while `body` runs, so keep it short. Others can still read, and see none of the changes before
    /// `body` has returned; then the changes appear one after the other, within microseconds: to read values of one instant, read them in a transaction, too.
    /// `body` must use the transaction it is given: changing the store itself throws ``MappedStoreError/Code/busy``, and reading or listing it shows none of
    /// the transaction's changes.
    ///
    /// - Throws: What `body` throws, in which case nothing was changed; the errors of ``set(_:for:expiresAfter:)-(Value?,_,_)``.
    public func transaction<Result>(_ body: (inout MappedTransaction) throws -> Result) throws -> Result {
        let scope = gate.enter(isScope: true)
        defer { gate.leave(scope, isScope: true) }
        var outcome: Swift.Result<Result, any Error>?
        try writing { view throws(MappedStoreError) in
            var transaction = MappedTransaction(self, view)
            var changes = OwnedChanges()
            do {
                outcome = .success(try body(&transaction))
                changes = transaction.changes
            } catch {
                outcome = .failure(error)
            }
            return changes.isEmpty ? Aftermath() : try makeAtOnce(changes, view)
        }
        guard let outcome else { throw closedError }
        return try outcome.get()
    }

    /// Updates the value for `key` atomically: it cannot change between the read and the write.
    ///
    /// ```swift
    /// try store.update("launches", default: 0) { $0 += 1 }
    /// ```
    ///
    /// A value that expires keeps its deadline, unless `lifetime` gives another.
    ///
    /// - Throws: What `body` throws, in which case nothing was changed; the errors of ``get(_:as:)`` and ``set(_:for:expiresAfter:)-(Value?,_,_)``.
    public func update<Value: MappedValue, Result>(
        _ key: String,
        default fallback: @autoclosure () -> Value,
        expiresAfter lifetime: Duration? = nil,
        _ body: (inout Value) throws -> Result
    ) throws -> Result {
        try transaction { changes in
            let found = try changes.getWithDeadline(key, as: Value.self)
            var value = found?.value ?? fallback()
            let result = try body(&value)
            try changes.update(value, for: key, expiresAfter: lifetime, keeping: found?.deadline)
            return result
        }
    }

    /// Updates the value for `key` atomically; it is `nil` if there is none. If `body` leaves it `nil`, the value is removed.
    ///
    /// - Throws: Same as ``update(_:default:expiresAfter:_:)``.
    public func update<Value: MappedValue, Result>(
        _ key: String,
        as type: Value.Type = Value.self,
        expiresAfter lifetime: Duration? = nil,
        _ body: (inout Value?) throws -> Result
    ) throws -> Result {
        try transaction { changes in
            let found = try changes.getWithDeadline(key, as: Value.self)
            var value = found?.value
            let result = try body(&value)
            try changes.update(value, for: key, expiresAfter: lifetime, keeping: found?.deadline)
            return result
        }
    }
}
