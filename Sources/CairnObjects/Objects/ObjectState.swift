import Observation

/// What an object of a stored class knows of itself beside its values: who it is, where it belongs, what was changed. Each object has one, kept by the
/// library; `@Stored` declares it.
@safe public struct ObjectState: ~Copyable {
    /// What has to be looked at before a value is read or changed.
    @usableFromInline @frozen
    struct Flags: OptionSet, Sendable {
        @usableFromInline let rawValue: UInt16
        @inlinable init(rawValue: UInt16) { self.rawValue = rawValue }
        /// The values are not there yet.
        @inlinable static var fault: Flags { Flags(rawValue: 1) }
        /// Reads are told to observers.
        @inlinable static var observed: Flags { Flags(rawValue: 2) }
        /// To be inserted, updated or deleted at the next save.
        @inlinable static var inserted: Flags { Flags(rawValue: 4) }
        @inlinable static var updated: Flags { Flags(rawValue: 8) }
        @inlinable static var deleted: Flags { Flags(rawValue: 16) }
        /// Its record could not be read.
        @inlinable static var damaged: Flags { Flags(rawValue: 32) }
        /// Inserted in the row that it had before it was deleted.
        @inlinable static var revived: Flags { Flags(rawValue: 128) }
        /// There is a registrar: changes are told to observers.
        @inlinable static var tracked: Flags { Flags(rawValue: 64) }
    }

    // In an order without gaps: there may be millions.
    @usableFromInline var flags: Flags = .observed
    /// How often the stored record was changed.
    @usableFromInline var changeCount: UInt32 = 0
    /// The bits of properties changed since the last save; those from the 64th on share the last bit. All of them for an object that was not saved yet.
    @usableFromInline var changed: UInt64 = ~0
    /// Zero for an object of no context.
    @usableFromInline var id = ObjectID(raw: 0)
    @usableFromInline var place = ObjectPlace()

    @inlinable public init() {}

    init(_ id: ObjectID, _ link: ContextLink, _ flags: Flags, changeCount: UInt32) {
        self.id = id
        self.flags = flags
        self.changeCount = changeCount
        changed = 0
        place.setLink(link)
        link.join()
    }

    deinit {
        guard !place.isNone else { return }
        unsafe place.link?._withUnsafeGuaranteedRef { $0.forget(id) }
        place.end()
    }

    var hasContext: Bool { unsafe place.link != nil }

    var link: ContextLink? { unsafe place.link?.takeUnretainedValue() }

    func isIn(_ link: ContextLink) -> Bool { unsafe place.link?.toOpaque() == Unmanaged.passUnretained(link).toOpaque() }

    var registrar: Registrar? {
        get { place.registrar }
        set { if let newValue { place.setRegistrar(newValue) } }
    }

    @inlinable static func bit(_ index: Int) -> UInt64 { 1 << UInt64(min(index, 63)) }
}

/// Who observes an object. A registrar's size is not known to those who compile against Observation; in a box it is, and with it the places of all
/// properties of an object.
@safe @usableFromInline final class Registrar {
    let registrar = ObservationRegistrar()
    /// That of the object.
    fileprivate var link: Unmanaged<ContextLink>?
}

/// The link of an object and its registrar, in one word: few objects have a registrar, and that has room for the link.
@safe @usableFromInline struct ObjectPlace: ~Copyable {
    /// Of the link, which is kept by the count in it: cheaper than a reference, as all objects of a context belong to one thread. With the lowest bit, of the
    /// registrar, which is retained. 0 without either.
    private var address: UInt

    @usableFromInline init() { address = 0 }

    @inline(__always) var isNone: Bool { address == 0 }

    private var registrarReference: Unmanaged<Registrar>? {
        guard address & 1 != 0, let pointer = unsafe UnsafeRawPointer(bitPattern: address & ~1) else { return nil }
        return unsafe Unmanaged.fromOpaque(pointer)
    }

    var registrar: Registrar? { unsafe registrarReference?.takeUnretainedValue() }

    @inline(__always)
    var link: Unmanaged<ContextLink>? {
        if address & 1 != 0 { return unsafe registrar?.link }
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
        return unsafe Unmanaged.fromOpaque(pointer)
    }

    @inline(__always)
    mutating func setLink(_ link: ContextLink?) {
        let reference = unsafe link.map { unsafe Unmanaged.passUnretained($0) }
        if let registrar { unsafe registrar.link = reference } else { address = unsafe UInt(bitPattern: reference?.toOpaque()) }
    }

    /// Once: an object has the same registrar for good.
    mutating func setRegistrar(_ registrar: Registrar) {
        guard unsafe registrarReference == nil else { return }
        unsafe registrar.link = unsafe link
        address = unsafe UInt(bitPattern: Unmanaged.passRetained(registrar).toOpaque()) | 1
    }

    /// The object goes.
    func end() { unsafe registrarReference?.release() }
}

extension ObjectState {
    /// The record cannot be read: there are no values, and none to be waited for.
    mutating func becomeDamaged() {
        flags.remove(.fault)
        flags.insert(.damaged)
    }

    /// Becomes part of a context.
    mutating func become(_ id: ObjectID, _ link: ContextLink, _ flags: Flags) {
        leaveContext()
        self.id = id
        place.setLink(link)
        link.join()
        self.flags = flags
        changed = flags.contains(.inserted) ? ~0 : 0
    }
}

extension ObjectState {
    /// Belongs to no context any more, and is in its table no more.
    mutating func leaveContext() {
        unsafe place.link?._withUnsafeGuaranteedRef { $0.forget(id) }
        place.setLink(nil)
    }
}

/// The way from objects to their context: objects and collections outlive the context without dangling, and no cycle keeps either. Stays while there is the context or
/// one of its objects.
@usableFromInline final class ContextLink {
    let store: ObjectStore
    /// `nil` once the context is gone or closed.
    unowned(unsafe) var context: ObjectContext?
    /// The objects in memory. All that touches them belongs to one thread, and nothing holds an access while it calls others.
    @exclusivity(unchecked) var table = IdentityTable()
    @exclusivity(unchecked) private var objectCount = 0

    init(_ store: ObjectStore) { self.store = store }

    /// Calls `body` with this, without counting a reference: for what is done to each of many objects, by those who have one.
    @inline(__always)
    func lending<Value>(_ body: (ContextLink) -> Value) -> Value {
        unsafe Unmanaged.passUnretained(self)._withUnsafeGuaranteedRef(body)
    }

    /// An object refers to this.
    @inline(__always)
    func join() {
        if unsafe objectCount == 0 { _ = unsafe Unmanaged.passRetained(self) }
        unsafe objectCount &+= 1
    }

    /// An object goes, or leaves.
    @inline(__always)
    func forget(_ id: ObjectID) {
        unsafe table.remove(id)
        unsafe objectCount &-= 1
        if unsafe objectCount == 0 { unsafe Unmanaged.passUnretained(self).release() }
    }
}
