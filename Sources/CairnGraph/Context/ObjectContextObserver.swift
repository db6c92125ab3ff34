/// Is notified of the changes of a context as they are made, for example to update views or dependent values.
///
/// Methods are called in the middle of the change, on the context's thread. They may read and change objects.
public protocol ObjectContextObserver: AnyObject {
    /// An object was inserted, and has its identity.
    func context(_ context: ObjectContext, willInsert object: any StoredObject)
    /// An object is about to be changed, for the first time since it was saved.
    func context(_ context: ObjectContext, willUpdate object: any StoredObject)
    /// An object is about to be deleted. Its values and relationships are still available.
    func context(_ context: ObjectContext, willDelete object: any StoredObject)
    /// Undo or redo has changed an object.
    func context(_ context: ObjectContext, didChange object: any StoredObject)
}

extension ObjectContextObserver {
    public func context(_ context: ObjectContext, willInsert object: any StoredObject) {}
    public func context(_ context: ObjectContext, willUpdate object: any StoredObject) {}
    public func context(_ context: ObjectContext, willDelete object: any StoredObject) {}
    public func context(_ context: ObjectContext, didChange object: any StoredObject) {}
}
