/// The changes to a store, as they happen; see ``MappedStore/changes(limit:)``.
public struct MappedChanges: AsyncSequence, Sendable {
    public typealias Element = MappedChange
    public typealias Failure = MappedStoreError

    let subscription: MappedSubscription

    /// All iterators of a sequence share its changes: each change goes to only one of them.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscription: subscription) }

    /// Waits for changes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let subscription: MappedSubscription

        /// Returns the next change, or `nil` once the task is cancelled or the store is closed.
        ///
        /// - Throws: ``MappedStoreError``: `truncated`, `replaced`, `wrongKey`, `ioError` if the store can no longer be followed.
        public mutating func next() async throws(MappedStoreError) -> MappedChange? { try await next(isolation: nil) }

        /// Same as ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(MappedStoreError) -> MappedChange? {
            try await subscription.listener.next()
        }
    }
}

/// The value of a key, now and after each change; see ``MappedStore/values(of:)``.
public struct MappedValues<Value: MappedContent & Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value
    public typealias Failure = MappedStoreError

    let subscription: MappedSubscription
    let key: MappedKey<Value>

    /// All iterators of a sequence share its changes: each change goes to only one of them.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscription: subscription, key: key) }

    /// Waits for values.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let subscription: MappedSubscription
        let key: MappedKey<Value>

        /// Returns the current value, or the value after the next change; `nil` once the task is cancelled or the store is closed.
        ///
        /// - Throws: Same as ``MappedChanges/AsyncIterator/next()``, and as ``MappedStore/get(_:as:)`` if the value cannot be read.
        public mutating func next() async throws(MappedStoreError) -> Value? { try await next(isolation: nil) }

        /// Same as ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(MappedStoreError) -> Value? {
            guard try await subscription.listener.next() != nil else { return nil }
            do throws(MappedStoreError) {
                // Changes until now are included in the value read now, and are not reported again.
                subscription.store.feed.catchUp(subscription.store)
                subscription.listener.forget()
                return try subscription.store.get(key)
            } catch {
                if error.code == .closed { return nil }
                throw error
            }
        }
    }
}

extension MappedStore {
    /// Returns the changes to the store from now on, by this process and all others.
    ///
    /// ```swift
    /// for try await change in try store.changes() {
    ///     switch change {
    ///     case .set(let key): print(key, "is", try store.valueType(of: key) ?? "gone again")
    ///     case .removed(let key): print(key, "is gone")
    ///     case .everything: print("look at everything again")
    ///     }
    /// }
    /// ```
    ///
    /// Changes arrive in the order in which they were made, those of a transaction one after another. A value read when a change arrives may be newer
    /// than the change. Expiry is not a change. The sequence keeps up to `limit` changes for its reader; if there are more, a single
    /// ``MappedChange/everything`` replaces them all. Compaction is not a change, and hides none.
    ///
    /// The sequence ends when the store is closed or the task is cancelled. It throws if the store can no longer be followed: `truncated`,
    /// `replaced`, `wrongKey`, `ioError`.
    ///
    /// **Cost.** While there are listeners, one thread per open store waits, and each change costs a system call in the process that makes it. A store
    /// that is open for reading only checks for changes 40 times a second.
    ///
    /// - Parameter limit: The number of changes to keep; at least 1.
    /// - Throws: `closed`; the errors of ``get(_:as:)`` that concern the file.
    public func changes(limit: Int = 1000) throws(MappedStoreError) -> MappedChanges {
        MappedChanges(subscription: try listen(MappedListener(key: nil, limit: limit)))
    }

    /// Returns the current value for `key`, and the value after each change, by this process and all others.
    ///
    /// ```swift
    /// for try await theme in try store.values(of: .theme) { print(theme) }
    /// ```
    ///
    /// If several changes happen before the reader asks, it gets only the newest value. A value may equal the previous one. Expiry is not a change.
    /// The sequence ends, fails and costs as ``changes(limit:)`` does, and also throws if the value cannot be read.
    ///
    /// - Throws: Same as ``changes(limit:)``.
    public func values<Value>(of key: MappedKey<Value>) throws(MappedStoreError) -> MappedValues<Value> {
        let listener = MappedListener(key: key.name, limit: 1)
        // The current value comes first.
        listener.add(.set(key.name))
        return MappedValues(subscription: try listen(listener), key: key)
    }

    /// Returns the values for a string key, `nil` if there is none; same as ``values(of:)``.
    ///
    /// - Throws: Same as ``changes(limit:)``.
    public func values<Value: MappedValue & Sendable>(
        of key: String,
        as type: Value.Type = Value.self
    ) throws(MappedStoreError) -> MappedValues<Value?> {
        try values(of: MappedKey<Value?>(key))
    }

    func listen(_ listener: MappedListener) throws(MappedStoreError) -> MappedSubscription {
        MappedSubscription(store: self, listener: listener, number: try feed.add(listener, self))
    }
}

/// Notifies a listener of changes, and keeps the store open, as long as it exists.
final class MappedSubscription: Sendable {
    let store: MappedStore
    let listener: MappedListener
    private let number: Int

    init(store: MappedStore, listener: MappedListener, number: Int) {
        self.store = store
        self.listener = listener
        self.number = number
    }

    deinit { store.feed.remove(number) }
}
