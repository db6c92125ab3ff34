import Observation

/// The state of a stored object besides its values: identity, context, changes. Each object has one, maintained by the library; `@Stored` declares
/// it.
@safe public struct ObjectState: ~Copyable {
    /// Flags to check before a value is read or changed.
    @usableFromInline @frozen
    struct Flags: OptionSet, Sendable {
        @usableFromInline let rawValue: UInt16
        @inlinable init(rawValue: UInt16) { self.rawValue = rawValue }
        /// The values have not been read yet.
        @inlinable static var fault: Flags { Flags(rawValue: 1) }
        /// Observers are notified of reads.
        @inlinable static var observed: Flags { Flags(rawValue: 2) }
        /// To be inserted, updated or deleted by the next save.
        @inlinable static var inserted: Flags { Flags(rawValue: 4) }
        @inlinable static var updated: Flags { Flags(rawValue: 8) }
        @inlinable static var deleted: Flags { Flags(rawValue: 16) }
        /// Its record could not be read.
        @inlinable static var damaged: Flags { Flags(rawValue: 32) }
        /// Inserted in the row that it had before it was deleted.
        @inlinable static var revived: Flags { Flags(rawValue: 128) }
        /// Has a registrar: observers are notified of changes.
        @inlinable static var tracked: Flags { Flags(rawValue: 64) }
        /// Has large values that have not been read yet: `unread` says which.
        @inlinable static var partial: Flags { Flags(rawValue: 256) }
        /// The saved record has large values, which a save keeps.
        @inlinable static var large: Flags { Flags(rawValue: 512) }
        /// Its deletion was saved: it belongs to no context, but its place still has the link of its former context.
        @inlinable static var departed: Flags { Flags(rawValue: 1024) }
    }

    // Ordered to avoid padding, because there may be millions.
    @usableFromInline var flags: Flags = .observed
    /// The large values that have not been read yet, by ``ObjectSchema/largeBit(_:)``. The storage of such a property has a substitute.
    @usableFromInline var unread: UInt16 = 0
    /// The change count of the stored record.
    @usableFromInline var changeCount: UInt32 = 0
    /// The bits of the properties changed since the last save; properties from the 64th on share the last bit. All bits are set until the object is
    /// first saved.
    @usableFromInline var changed: UInt64 = ~0
    /// Zero without a context.
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
        leaveLink()
        place.end()
    }

    var hasContext: Bool { unsafe place.link != nil && !flags.contains(.departed) }

    var link: ContextLink? { flags.contains(.departed) ? nil : lastLink }

    /// The link of the context that the object belongs to, or belonged to until its deletion was saved.
    var lastLink: ContextLink? { unsafe place.link?.takeUnretainedValue() }

    func isIn(_ link: ContextLink) -> Bool {
        unsafe place.link?.toOpaque() == Unmanaged.passUnretained(link).toOpaque() && !flags.contains(.departed)
    }

    @inline(__always)
    fileprivate func leaveLink() {
        unsafe place.link?._withUnsafeGuaranteedRef { flags.contains(.departed) ? $0.part() : $0.forget(id) }
    }

    var registrar: Registrar? {
        get { place.registrar }
        set { if let newValue { place.setRegistrar(newValue) } }
    }

    @inlinable static func bit(_ index: Int) -> UInt64 { FieldMap.bit(index) }
}

/// The observers of an object. The size of a registrar is unknown to modules that compile against Observation; boxing it fixes the layout of the
/// object's properties.
@safe @usableFromInline final class Registrar {
    let registrar = ObservationRegistrar()
    /// The object's link.
    fileprivate var link: Unmanaged<ContextLink>?
}

/// The link of an object and its registrar, in one word: few objects have a registrar, which then contains the link.
@safe @usableFromInline struct ObjectPlace: ~Copyable {
    /// The address of the link, which is kept alive by its object count: cheaper than a reference, because all objects of a context belong to one
    /// thread. If the lowest bit is set, the address of the registrar, which is retained. 0 if there is neither.
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

    /// Sets the registrar, once: an object keeps it forever.
    mutating func setRegistrar(_ registrar: Registrar) {
        guard unsafe registrarReference == nil else { return }
        unsafe registrar.link = unsafe link
        address = unsafe UInt(bitPattern: Unmanaged.passRetained(registrar).toOpaque()) | 1
    }

    /// Called when the object is deallocated.
    func end() { unsafe registrarReference?.release() }
}

extension ObjectState {
    /// Marks the record as unreadable: there are no values, and reading is not tried again.
    mutating func becomeDamaged() {
        flags.remove(.fault)
        flags.insert(.damaged)
    }

    /// Adds the object to a context.
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
    /// Removes the object from its context and its table.
    mutating func leaveContext() {
        leaveLink()
        place.setLink(nil)
        flags.remove(.departed)
    }

    /// Removes the object from its context, after its deletion was saved. Later changes are reported to the context.
    mutating func depart() {
        unsafe place.link?._withUnsafeGuaranteedRef { unsafe $0.table.remove(id) }
        flags.insert(.departed)
        changed = 0
    }
}

extension ObjectState {
    /// Removes the object from its context.
    mutating func leave() {
        leaveContext()
        id = ObjectID(raw: 0)
        flags.subtract([.inserted, .updated, .deleted])
        changed = ~0
    }

    /// Discards the values, to be read again.
    mutating func revert() {
        flags.subtract([.inserted, .updated, .deleted, .damaged, .partial])
        flags.insert(.fault)
        changed = 0
        unread = 0
    }

    /// Marks the changes as saved.
    @inline(__always)
    mutating func saved(_ changeCount: UInt32) {
        flags.subtract([.inserted, .updated, .revived])
        changed = 0
        self.changeCount = changeCount
    }
}
