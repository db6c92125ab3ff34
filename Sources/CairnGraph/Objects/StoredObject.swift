public import Observation

/// An object that can be kept in a store. The macro `@Stored` makes a final class conform; ``HandCodedObject`` describes how to conform by hand.
///
/// After it is inserted or fetched, an object belongs to one context, and to the thread, task or actor that uses that context. Only its own unsaved changes
/// keep it in memory: otherwise it lives as long as it is referenced, and is created again when needed.
///
/// Objects are equal if they are the same instance. A context has one instance for each stored object that is in memory, so in one context, objects
/// are equal if and only if they are the same stored object. `id` also identifies the instance, unless the class has a property `id`. Equality and
/// `id` stay the same when an object is inserted, saved and changed. ``objectID`` identifies a stored object beyond its context.
///
/// Names that begin with `_$` are for the code that the macro generates.
public protocol StoredObject: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
    /// The schema of the class.
    static var objectSchema: ObjectSchema { get }

    /// Makes an object without values, to be read by ``_$read(_:)``.
    init(_$fault: Void)

    var _$state: ObjectState { get set }

    /// Makes an object with the values of a record. Built on the other functions by default; a requirement so that it is compiled for the class.
    static func _$make(_ state: consuming ObjectState, _ reader: inout RecordReader) throws(RecordError) -> Self
    /// Reads the values from a record.
    func _$read(_ reader: inout RecordReader) throws(RecordError)
    /// Writes the values, in the order of their numbers.
    func _$write(_ writer: inout RecordWriter, _ fields: FieldMap)
    /// Discards the values.
    func _$clear()

    /// Called before the object is deleted, by ``ObjectContext/delete(_:)`` or by a delete rule. Its relationships and values are still there, and it can
    /// delete other objects. Does nothing by default.
    func prepareForDelete()

    /// Called after reading a record that an older version of the class wrote (see ``ObjectSchema/version``). Properties have the values of the fields
    /// that the record and the class share, and defaults otherwise. Does nothing by default.
    func migrate(from version: UInt8)
}

extension StoredObject {
    /// Whether both are the same instance.
    public static func == (one: Self, other: Self) -> Bool { one === other }

    /// Hashes the identity of the instance, not its values.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Identifies the instance, for as long as it is in memory.
    @_disfavoredOverload
    public var id: ObjectIdentifier { ObjectIdentifier(self) }
}

extension StoredObject {
    public func prepareForDelete() {}
    public func migrate(from version: UInt8) {}

    /// The object's identity, or `nil` while it belongs to no context.
    public var objectID: ObjectID? { _$state.hasContext ? _$state.id : nil }

    /// The context that the object belongs to, or `nil` if it has not been inserted yet or the context is gone.
    public var objectContext: ObjectContext? { unsafe _$state.link?.context }

    /// Whether the values have not been read from the store yet. The first use of one reads them.
    public var isFault: Bool { _$state.flags.contains(.fault) }

    /// Whether the object has been inserted or changed since its context was last saved.
    public var hasUnsavedChanges: Bool { !_$state.flags.isDisjoint(with: [.inserted, .updated, .deleted]) }

    /// Whether the object has been deleted, or will be by the next save.
    public var isDeleted: Bool { _$state.flags.contains(.deleted) }
}

// MARK: For the macro

extension StoredObject {
    @inlinable
    public static func _$make(_ state: consuming ObjectState, _ reader: inout RecordReader) throws(RecordError) -> Self {
        let object = Self(_$fault: ())
        try object._$read(&reader)
        object._$state = state
        return object
    }

    /// Called before a value is read.
    @inlinable @inline(__always)
    public func _$willRead<Value>(_ keyPath: @autoclosure () -> KeyPath<Self, Value>) {
        if !_$state.flags.isDisjoint(with: [.fault, .observed, .partial]) { _$attend(keyPath()) }
    }

    /// Called before the value of the property `index` is changed.
    @inlinable @inline(__always)
    public func _$willChange<Value>(_ index: Int, _ keyPath: @autoclosure () -> KeyPath<Self, Value>) {
        if _$state.changed & ObjectState.bit(index) == 0 { _$note(index) }
        if _$state.flags.contains(.tracked) { _$tellWillChange(keyPath()) }
    }

    /// Called after it was changed.
    @inlinable @inline(__always)
    public func _$didChange<Value>(_ keyPath: @autoclosure () -> KeyPath<Self, Value>) {
        if _$state.flags.contains(.tracked) { _$tellChanged(keyPath()) }
    }

    @usableFromInline @inline(never)
    func _$attend<Value>(_ keyPath: KeyPath<Self, Value>) {
        if isFault { fire() }
        if _$state.flags.contains(.partial), let index = Self.objectSchema.indexOfKeyPath[keyPath] { readLarge(index) }
        guard _$state.flags.contains(.observed) else { return }
        if let registrar = _$state.registrar { return registrar.registrar.access(self, keyPath: keyPath) }
        let registrar = Registrar()
        _$state.registrar = registrar
        _$state.flags.insert(.tracked)
        registrar.registrar.access(self, keyPath: keyPath)
    }

    @usableFromInline @inline(never)
    func _$note(_ index: Int) {
        if isFault { fire() }
        if _$state.flags.contains(.partial) { readLarge(index) }
        if let context = objectContext { context.willChange(self) } else if _$state.lastLink != nil { return noteLost(index) }
        _$state.changed |= ObjectState.bit(index)
    }

    @usableFromInline @inline(never)
    func _$tellWillChange<Value>(_ keyPath: KeyPath<Self, Value>) { _$state.registrar?.registrar.willSet(self, keyPath: keyPath) }

    @usableFromInline @inline(never)
    func _$tellChanged<Value>(_ keyPath: KeyPath<Self, Value>) { _$state.registrar?.registrar.didSet(self, keyPath: keyPath) }

    /// Reads the values of a fault. The context records errors: see ``ObjectContext/faultErrors``.
    func fire() { objectContext?.fire(self) }
}
