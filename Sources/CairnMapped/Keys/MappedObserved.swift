public import Observation
import Synchronization

/// An observable object with the value of a key: observers of ``value`` are notified when any process changes it.
///
/// ```swift
/// let theme = try MappedObserved(.theme, in: store)
/// withObservationTracking { show(theme.value) } onChange: { print("another theme") }
/// theme.value = .dark
/// ```
///
/// SwiftUI views that read ``value`` update automatically. Observers are notified on a thread of the store; several changes in a row may be reported
/// as one. While the object exists, it costs as much as ``MappedStore/changes(limit:)``.
public final class MappedObserved<Value: MappedContent & Sendable>: Observable, Sendable {
    /// The key and its default.
    public let key: MappedKey<Value>
    /// The store that holds the value.
    public let store: MappedStore

    private let registrar = ObservationRegistrar()
    private let latest: Mutex<Value>
    private let subscription = Mutex<MappedSubscription?>(nil)

    /// Observes the value for `key`.
    ///
    /// - Throws: Same as ``MappedStore/changes(limit:)``; also if the value cannot be read.
    public init(_ key: MappedKey<Value>, in store: MappedStore) throws(MappedStoreError) {
        self.key = key
        self.store = store
        latest = Mutex(key.defaultValue)
        let listener = MappedListener(key: key.name, limit: 1) { [weak self] in self?.refresh() }
        let subscription = try store.listen(listener)
        self.subscription.withLock { $0 = subscription }
        // Read within the lock, as in refresh(): a change may already have been reported.
        try latest.withLock { latest throws(MappedStoreError) in latest = try store.get(key) }
    }

    /// The value as observers know it. Setting it stores the value and notifies observers before returning.
    ///
    /// An error is passed to ``MappedStoreOptions/onError`` and leaves the value unchanged; ``set(_:)`` throws it.
    public var value: Value {
        get {
            registrar.access(self, keyPath: \.value)
            return latest.withLock { $0 }
        }
        set {
            do throws(MappedStoreError) { try set(newValue) } catch { store.options.onError(error) }
        }
    }

    /// Stores `value` and notifies observers before returning.
    ///
    /// - Throws: Same as `MappedStore.set`.
    public func set(_ value: Value) throws(MappedStoreError) {
        try store.set(value, for: key)
        refresh()
    }

    /// Reads the value again, as after every change.
    private func refresh() {
        let failure = registrar.withMutation(of: self, keyPath: \.value) {
            // Read within the lock, so that the last to arrive has also read last.
            latest.withLock { latest -> MappedStoreError? in
                do throws(MappedStoreError) { latest = try store.get(key) } catch { return error }
                return nil
            }
        }
        if let failure, failure.code != .closed { store.options.onError(failure) }
    }
}
