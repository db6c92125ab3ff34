public import Observation

/// What an object of a stored class knows of itself beside its values: who it is, where it belongs, what was changed. Each object has one, kept by the
/// library; `@Stored` declares it.
public struct ObjectState: ~Copyable {
    /// What has to be looked at before a value is read or changed.
    @usableFromInline
    struct Flags: OptionSet, Sendable {
        @usableFromInline let rawValue: UInt16
        @usableFromInline init(rawValue: UInt16) { self.rawValue = rawValue }
        /// The values are not there yet.
        @usableFromInline static let fault = Flags(rawValue: 1)
        /// Reads and changes are told to observers.
        @usableFromInline static let observed = Flags(rawValue: 2)
        /// To be inserted, updated or deleted at the next save.
        @usableFromInline static let inserted = Flags(rawValue: 4)
        @usableFromInline static let updated = Flags(rawValue: 8)
        @usableFromInline static let deleted = Flags(rawValue: 16)
        /// Its record could not be read.
        @usableFromInline static let damaged = Flags(rawValue: 32)
    }

    @usableFromInline var flags: Flags = .observed
    /// The bits of properties changed since the last save; those from the 64th on share the last bit.
    @usableFromInline var changed: UInt64 = 0
    /// How often the stored record was changed.
    var changeCount: UInt32 = 0
    /// Zero for an object of no context.
    var id = ObjectID(raw: 0)
    var link: ContextLink?
    var registrar: ObservationRegistrar?

    public init() {}

    init(_ id: ObjectID, _ link: ContextLink, _ flags: Flags, changeCount: UInt32) {
        self.id = id
        self.link = link
        self.flags = flags
        self.changeCount = changeCount
    }

    deinit {
        if let link { link.context?.forget(id) }
    }

    @usableFromInline static func bit(_ index: Int) -> UInt64 { 1 << UInt64(min(index, 63)) }
}

extension ObjectState {
    /// Becomes part of a context.
    mutating func become(_ id: ObjectID, _ link: ContextLink, _ flags: Flags) {
        self.id = id
        self.link = link
        self.flags = flags
    }
}

/// The way from an object to its context: objects and collections outlive the context without dangling, and no cycle keeps either.
final class ContextLink {
    let store: ObjectStore
    /// `nil` once the context is gone or closed.
    unowned(unsafe) var context: ObjectContext?

    init(_ store: ObjectStore) { unsafe self.store = store }
}
