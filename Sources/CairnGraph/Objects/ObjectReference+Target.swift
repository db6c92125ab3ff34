extension ObjectReference {
    /// A reference to an object of one class.
    ///
    /// Generic, because the compiler (6.3) loses track in an init accessor when an optional object becomes an optional existential.
    public init<Target: StoredObject>(_$to object: Target?) {
        self.init(object)
    }

    /// A reference to an object typed as a protocol.
    @_disfavoredOverload
    public init<Target>(_$to object: Target?) {
        guard let object else {
            self = .none
            return
        }
        if let object = object as? any StoredObject { self.init(object) } else { self = .refused }
    }
}
