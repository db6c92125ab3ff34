/// Connects objects with their context, so that objects and collections can safely outlive it without reference cycles. Exists as long as the context
/// or one of its objects.
@usableFromInline final class ContextLink {
    let store: ObjectStore
    /// Whether changes are never saved, because the context only reads.
    private let isReadOnly: Bool
    /// `nil` once the context is gone or closed.
    unowned(unsafe) var context: ObjectContext?
    /// The objects in memory. Used by one thread only, and never during another access.
    @exclusivity(unchecked) var table = IdentityTable()
    @exclusivity(unchecked) private var objectCount = 0

    init(_ store: ObjectStore, isReadOnly: Bool) {
        self.store = store
        self.isReadOnly = isReadOnly
    }

    /// Records that a change was not made, or will not be saved: the context's next save reports it or, if the context is gone, closing the store.
    func refuse(_ error: ObjectStoreError) {
        if let context = unsafe context { context.refuse(error) } else if !isReadOnly { store.refuse(error) }
    }

    /// Forgets what was recorded about an object that is inserted again.
    func forgive(_ id: ObjectID) {
        unsafe context?.refusedChanges.removeAll { $0.object == id }
        store.forgive(id)
    }

    /// Calls `body` with this link, without reference counting: for work on many objects, by callers that hold a reference.
    @inline(__always)
    func lending<Value>(_ body: (ContextLink) -> Value) -> Value {
        unsafe Unmanaged.passUnretained(self)._withUnsafeGuaranteedRef(body)
    }

    /// Called when an object gets a reference to this link.
    @inline(__always)
    func join() {
        if unsafe objectCount == 0 { _ = unsafe Unmanaged.passRetained(self) }
        unsafe objectCount &+= 1
    }

    /// Called when an object is deallocated or leaves.
    @inline(__always)
    func forget(_ id: ObjectID) {
        unsafe table.remove(id)
        part()
    }

    /// Called when an object that is no longer in the table is deallocated or leaves.
    @inline(__always)
    func part() {
        unsafe objectCount &-= 1
        if unsafe objectCount == 0 { unsafe Unmanaged.passUnretained(self).release() }
    }
}
