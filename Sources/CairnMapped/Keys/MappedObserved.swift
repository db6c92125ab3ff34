public import Observation
import Synchronization

/// The value under a key, as an object to observe: who read ``value`` while it was watched learns when it changes, by whatever process.
///
/// ```swift
/// let theme = try MappedObserved(.theme, in: store)
/// withObservationTracking { show(theme.value) } onChange: { print("another theme") }
/// theme.value = .dark
/// ```
///
/// Views of SwiftUI that read ``value`` follow it by themselves. Changes are told on a thread of the store's; several in a row may be told
/// as one. Costs what ``MappedStore/changes(limit:)`` costs, as long as the object lives.
public final class MappedObserved<Value: MappedContent & Sendable>: Observable, Sendable {
    /// The key, with the default.
    public let key: MappedKey<Value>
    /// Where the value is.
    public let store: MappedStore

    private let registrar = ObservationRegistrar()
    private let latest: Mutex<Value>
    private let subscription = Mutex<MappedSubscription?>(nil)

    /// Follows the value under `key`.
    ///
    /// - Throws: As ``MappedStore/changes(limit:)``, and where the value cannot be read.
    public init(_ key: MappedKey<Value>, in store: MappedStore) throws(MappedStoreError) {
        self.key = key
        self.store = store
        latest = Mutex(key.defaultValue)
        let listener = MappedListener(key: key.name, limit: 1) { [weak self] in self?.refresh() }
        let subscription = try store.listen(listener)
        self.subscription.withLock { $0 = subscription }
        let value = try store.get(key)
        latest.withLock { $0 = value }
    }

    /// The value as observers know it. Setting stores it, and tells observers before it returns.
    ///
    /// A failure goes to ``MappedStoreOptions/onError``, and leaves the value as it was; ``set(_:)`` throws.
    public var value: Value {
        get {
            registrar.access(self, keyPath: \.value)
            return latest.withLock { $0 }
        }
        set {
            do throws(MappedStoreError) { try set(newValue) } catch { store.options.onError(error) }
        }
    }

    /// Stores `value`, and tells observers before it returns.
    ///
    /// - Throws: As `MappedStore.set`.
    public func set(_ value: Value) throws(MappedStoreError) {
        try store.set(value, for: key)
        refresh()
    }

    /// Reads the value anew, as after every change.
    private func refresh() {
        let failure = registrar.withMutation(of: self, keyPath: \.value) {
            // Read within the lock: who comes last has read last.
            latest.withLock { latest -> MappedStoreError? in
                do throws(MappedStoreError) { latest = try store.get(key) } catch { return error }
                return nil
            }
        }
        if let failure, failure.code != .closed { store.options.onError(failure) }
    }
}
