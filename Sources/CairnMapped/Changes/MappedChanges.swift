/// The changes of a store, as they happen; see ``MappedStore/changes(limit:)``.
public struct MappedChanges: AsyncSequence, Sendable {
    public typealias Element = MappedChange
    public typealias Failure = MappedStoreError

    let subscription: MappedSubscription

    /// All iterators of a sequence share its changes: each change goes to one of them.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscription: subscription) }

    /// Waits for changes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let subscription: MappedSubscription

        /// The next change; `nil` once the task is cancelled or the store closed.
        ///
        /// - Throws: ``MappedStoreError``: `truncated`, `notFound`, `wrongKey`, `ioError` where the store cannot be followed further.
        public mutating func next() async throws(MappedStoreError) -> MappedChange? { try await next(isolation: nil) }

        /// As ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(MappedStoreError) -> MappedChange? {
            try await subscription.listener.next()
        }
    }
}

/// The value under a key, now and after each change; see ``MappedStore/values(of:)``.
public struct MappedValues<Value: MappedContent & Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value
    public typealias Failure = MappedStoreError

    let subscription: MappedSubscription
    let key: MappedKey<Value>

    /// All iterators of a sequence share its changes: each change is told to one of them.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscription: subscription, key: key) }

    /// Waits for values.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let subscription: MappedSubscription
        let key: MappedKey<Value>

        /// The value now, or after the next change; `nil` once the task is cancelled or the store closed.
        ///
        /// - Throws: As ``MappedChanges/AsyncIterator/next()``, and as ``MappedStore/get(_:as:)`` where the value cannot be read.
        public mutating func next() async throws(MappedStoreError) -> Value? { try await next(isolation: nil) }

        /// As ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(MappedStoreError) -> Value? {
            guard try await subscription.listener.next() != nil else { return nil }
            do throws(MappedStoreError) {
                // What happened until now is in the value that is read now, and not to be told again.
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
    /// What changes in the store from now on, by this process and all others.
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
    /// Changes come in the order in which they were made, those of a transaction one after another. What is read when a change comes may be
    /// newer than the change. Values that expire are no change. The sequence keeps up to `limit` changes for its reader; when there are more,
    /// they all give way to one ``MappedChange/everything``. Compacting is no change, and hides none.
    ///
    /// It ends when the store is closed or the task is cancelled, and throws where the store cannot be followed further: `truncated`,
    /// `notFound`, `wrongKey`, `ioError`.
    ///
    /// **Cost.** While anybody listens, one thread per opened store waits, and each change, by whatever process, costs its maker a system
    /// call. A store that is open for reading only looks for changes 40 times a second.
    ///
    /// - Parameter limit: How many changes are kept; at least 1.
    /// - Throws: `closed`; what ``get(_:as:)`` throws of the file.
    public func changes(limit: Int = 1000) throws(MappedStoreError) -> MappedChanges {
        MappedChanges(subscription: try listen(MappedListener(key: nil, limit: limit)))
    }

    /// The value under `key` now, and again after each change, by this process and all others.
    ///
    /// ```swift
    /// for try await theme in try store.values(of: .theme) { print(theme) }
    /// ```
    ///
    /// Of several changes the reader did not wait for, the newest value comes. A value may come that is the same as the one before. Values
    /// that expire are no change. Ends, fails and costs as ``changes(limit:)``, and throws where the value cannot be read.
    ///
    /// - Throws: As ``changes(limit:)``.
    public func values<Value>(of key: MappedKey<Value>) throws(MappedStoreError) -> MappedValues<Value> {
        let listener = MappedListener(key: key.name, limit: 1)
        // The value now is the first.
        listener.add(.set(key.name))
        return MappedValues(subscription: try listen(listener), key: key)
    }

    /// The value under a key that is a string, `nil` where there is none: as ``values(of:)``.
    ///
    /// - Throws: As ``changes(limit:)``.
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

/// Has a listener told of changes, and keeps the store open, as long as it lives.
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
