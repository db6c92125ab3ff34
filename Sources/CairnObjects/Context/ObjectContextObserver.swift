/// Is told of the changes of a context, when they are made: for views that follow, and for values that depend on others.
///
/// The calls come in the midst of the change, on the thread of the context. They may read objects and change them.
public protocol ObjectContextObserver: AnyObject {
    /// An object was inserted, and has its identity.
    func context(_ context: ObjectContext, willInsert object: any StoredObject)
    /// An object is about to be changed, for the first time since it was saved.
    func context(_ context: ObjectContext, willUpdate object: any StoredObject)
    /// An object is to be deleted. Its values and relationships are still there.
    func context(_ context: ObjectContext, willDelete object: any StoredObject)
    /// Undoing or redoing made an object what it is now.
    func context(_ context: ObjectContext, didChange object: any StoredObject)
}

extension ObjectContextObserver {
    public func context(_ context: ObjectContext, willInsert object: any StoredObject) {}
    public func context(_ context: ObjectContext, willUpdate object: any StoredObject) {}
    public func context(_ context: ObjectContext, willDelete object: any StoredObject) {}
    public func context(_ context: ObjectContext, didChange object: any StoredObject) {}
}
