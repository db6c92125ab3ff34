#if Hummingbird
import CairnCore
public import CairnMapped
public import Hummingbird
public import Logging
import ServiceLifecycle

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A `PersistDriver` of Hummingbird on a `MappedStore`: sessions in a file, which all worker processes of a machine share.
///
/// ```swift
/// let store = try MappedStore(path: "sessions.map")
/// let sessions = MappedPersistDriver(store: store)
/// router.add(middleware: SessionMiddleware(storage: sessions))
///
/// var app = Application(router: router)
/// app.addServices(sessions)
/// try await app.runService()
/// ```
///
/// **Guarantees.** When a call returns, its change survives the death of the process, and, with the store's
/// `MappedStoreOptions.durability` of `.synced`, power loss too. Other processes see it at once. If several processes
/// create a key, one succeeds.
///
/// **Expiry.** A value reads as missing from the moment at which it expires. As a service, the driver removes what has expired from the file
/// (``tidy()``) every ``Configuration/tidyFrequency``. Without an expiry, `create` and a first `set` use the store's
/// `MappedStoreOptions.expiresAfter`; a later `set` keeps the moment at which the value expires.
///
/// **Errors.** A value that cannot be read as the type asked for throws `PersistError.invalidConversion`. Everything else is a
/// `MappedStoreError`, such as `noSpace` on a full disk, `busy`, `closed`, or `codec` for a value that cannot be encoded; the store is then
/// as it was. ``Configuration/damagedValues`` determines what happens if a value is damaged.
///
/// **Format.** A value whose type conforms to `MappedValue` (`String`, `Int`, `Date`, `Data`, arrays of them, your own) is stored as
/// that value, all others as JSON, as `JSONCoded` stores them: `cairn mapped get` and the inspector show both. JSON takes many times as
/// long, so let the type of sessions that every request reads conform. Values that were stored as JSON before their type conformed can
/// still be read.
///
/// **Threads.** May be used from any task. Calls take about ten microseconds with JSON, else about one, and run where they are called. ``tidy()``, changes of
/// a `.synced` store, which wait for the disk, and changes that would have to wait for another process run on threads outside the cooperative pool. They wait
/// for the other process at most `MappedStoreOptions.busyTimeout`.
public struct MappedPersistDriver: PersistDriver {
    /// How a driver works.
    public struct Configuration: Sendable {
        /// The time between two calls of ``MappedPersistDriver/tidy()`` by the service, which does not call it if this is zero. Default: 10 minutes.
        public var tidyFrequency: Duration
        /// How many values ``MappedPersistDriver/tidy()`` removes at most. Default: 100,000.
        public var tidyLimit: Int
        /// What reading a damaged value does. Default: ``DamagedValues/readAsMissing``.
        public var damagedValues: DamagedValues

        /// Creates a configuration.
        public init(
            tidyFrequency: Duration = .seconds(600),
            tidyLimit: Int = 100_000,
            damagedValues: DamagedValues = .readAsMissing
        ) {
            self.tidyFrequency = tidyFrequency
            self.tidyLimit = tidyLimit
            self.damagedValues = damagedValues
        }
    }

    /// What happens when a value whose bytes are damaged is read.
    public enum DamagedValues: Sendable {
        /// It reads as missing, may be created again, and an error is logged: the user of a session logs in again. With an error instead, each of
        /// the user's requests would fail until the cookie expires.
        case readAsMissing
        /// Throws a `MappedStoreError` with the code `corruption`, also from `create`, until the key is set or removed: for values whose loss must not go
        /// unnoticed, such as locks.
        case fail
    }

    /// The store with the values. The driver does not close it.
    public let store: MappedStore
    /// How the driver works.
    public let configuration: Configuration
    private let logger: Logger

    /// Creates a driver.
    ///
    /// - Parameters:
    ///   - store: The store for the values. Other values may be in it, under other keys; do not share it with a ``ResponseCacheMiddleware``, which removes what is
    ///     oldest.
    ///   - configuration: How the driver works.
    ///   - logger: Logs damaged values and failures of ``tidy()``, without keys.
    public init(
        store: MappedStore,
        configuration: Configuration = Configuration(),
        logger: Logger = Logger(label: "cairn.sessions")
    ) {
        self.store = store
        self.configuration = configuration
        self.logger = logger
    }

    /// Stores a value if there is none for the key. If several processes do so, one succeeds.
    ///
    /// - Throws: `PersistError.duplicate` if there is a value that has not expired; see above.
    public func create<Object: Codable & Sendable>(key: String, value: Object, expires: Duration?) async throws {
        let isNew = try await change { store in try StoredForm.open(value) { try create(key, $0, expires, in: store) } }
        guard isNew else { throw PersistError.duplicate }
    }

    /// Stores a value, replacing an existing one. Without `expires`, an existing value keeps the moment at which it expires; if there is none, for
    /// instance because it was removed meanwhile, the new one expires as the store's `MappedStoreOptions.expiresAfter` says. ``update(key:as:_:)``
    /// changes only what is there.
    ///
    /// - Throws: See above.
    public func set<Object: Codable & Sendable>(key: String, value: Object, expires: Duration?) async throws {
        try await change { store in try StoredForm.open(value) { try set(key, $0, expires, in: store) } }
    }

    /// Returns the value for a key; `nil` if there is none or it has expired.
    ///
    /// - Throws: `PersistError.invalidConversion` if the value cannot be read as this type; see above.
    public func get<Object: Codable & Sendable>(key: String, as type: Object.Type) async throws -> Object? {
        do throws(MappedStoreError) { return try StoredForm.read(type, key, store) } catch { return try nothing(instead: error) }
    }

    /// Returns the value for a key and the time until it expires, which is `nil` if it does not; `nil` if there is no value.
    ///
    /// - Throws: Same as ``get(key:as:)``.
    public func getWithTTL<Object: Codable & Sendable>(key: String, as type: Object.Type) async throws -> (object: Object, ttl: Duration?)?
    {
        while true {
            let deadline = try deadline(of: key)
            guard let object = try await get(key: key, as: type) else { return nil }
            // Otherwise another process has set it in between, or it has just expired.
            guard try self.deadline(of: key) == deadline else { continue }
            return (object, deadline.map { .milliseconds($0 - store.milliseconds) })
        }
    }

    /// Changes the value for a key, if there is one, and returns it; `nil` if there is none or it has expired. No other process changes or removes
    /// the value in the meantime, so a session that has ended is not created again. The time at which the value expires does not change.
    ///
    /// - Throws: Same as ``get(key:as:)``.
    @discardableResult
    public func update<Object: Codable & Sendable>(
        key: String,
        as type: Object.Type = Object.self,
        _ body: @escaping @Sendable (inout Object) -> Void
    ) async throws -> Object? {
        try await change { store in
            try store.transaction { changes in
                let deadline = try deadline(of: key)
                let found: Object?
                do throws(MappedStoreError) { found = try StoredForm.read(type, key, store) } catch { found = try nothing(instead: error) }
                guard var object = found else { return nil }
                body(&object)
                try StoredForm.open(object) { try changes.set($0, for: key, deadline: deadline) }
                return object
            }
        }
    }

    /// Removes the value for a key, if there is one.
    ///
    /// - Throws: See above.
    public func remove(key: String) async throws {
        _ = try await change { store in try store.remove(key) }
    }

    // MARK: - Upkeep

    /// Removes values that have expired, at most ``Configuration/tidyLimit``. Any number of processes may do so at once.
    ///
    /// - Returns: How many this call removed.
    /// - Throws: `MappedStoreError`.
    /// - Complexity: Looks at every value, without delaying others; others wait for each 64 that are removed, which takes microseconds.
    @discardableResult
    public func tidy() async throws -> Int {
        let (store, limit) = (store, configuration.tidyLimit)
        return try await offPool { () throws(MappedStoreError) in try store.removeExpired(limit: limit) }.get()
    }

    /// Removes what has expired every ``Configuration/tidyFrequency``, until the task is cancelled or the services shut down. A failure is logged.
    public func run() async throws {
        try? await cancelWhenGracefulShutdown {
            guard configuration.tidyFrequency > .zero else { return try await gracefulShutdown() }
            while true {
                try await Task.sleep(for: min(configuration.tidyFrequency, .seconds(1 << 31)))
                do { try await tidy() } catch {
                    logger.error("expired sessions could not be removed", metadata: ["error": "\(error)"])
                }
            }
        }
    }

    // MARK: - Inside

    /// Makes a change here, or, if it would wait for the disk or for another process, on another thread.
    private func change<Result: Sendable>(_ body: @escaping @Sendable (MappedStore) throws -> Result) async throws -> Result {
        guard try store.options.durability == .synced || store.isBeingChanged else { return try body(store) }
        return try await offPool { [store] in try body(store) }.get()
    }

    private func create(_ key: String, _ value: some MappedValue, _ expires: Duration?, in store: MappedStore) throws -> Bool {
        do throws(MappedStoreError) { return try store.set(value, for: key, replacing: nil, expiresAfter: expires) } catch {
            guard isForgiven(error) else { throw error }
            return try createInPlaceOfDamage(key, value, expires)
        }
    }

    private func set(_ key: String, _ value: some MappedValue, _ expires: Duration?, in store: MappedStore) throws {
        guard expires == nil else { return try store.set(value, for: key, expiresAfter: expires) }
        try store.transaction { changes in
            var kept: Int64?
            // The deadline of a damaged value is not known.
            do throws(MappedStoreError) { kept = try store.deadline(of: key) } catch {
                if error.code != .corruption { throw error }
            }
            try changes.set(value, for: key, deadline: kept ?? store.deadline(after: nil))
        }
    }

    /// Whether an error is about a damaged value that counts as missing.
    private func isForgiven(_ error: MappedStoreError) -> Bool {
        error.code == .corruption && configuration.damagedValues == .readAsMissing
    }

    /// What reading returns after an error: nothing, or the error.
    private func nothing<Object>(instead error: MappedStoreError) throws -> Object? {
        if error.code == .typeMismatch || error.code == .codec { throw PersistError.invalidConversion }
        guard isForgiven(error) else { throw error }
        logger.error("a session is damaged and is treated as missing", metadata: ["error": "\(error)"])
        return nil
    }

    /// Sets a value that is to be new, although what is stored is damaged; returns whether it is new after all.
    private func createInPlaceOfDamage(_ key: String, _ value: some MappedValue, _ expires: Duration?) throws -> Bool {
        try store.transaction { changes in
            do throws(MappedStoreError) {
                if try changes.get(key, as: MappedVariant.self) != nil { return false }
            } catch {
                let _: MappedVariant? = try nothing(instead: error)
            }
            try changes.set(value, for: key, expiresAfter: expires)
            return true
        }
    }

    /// When the value for a key expires, in milliseconds since 1970.
    private func deadline(of key: String) throws -> Int64? {
        do throws(MappedStoreError) { return try store.deadline(of: key) } catch { return try nothing(instead: error) }
    }
}
#endif
