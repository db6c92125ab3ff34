import CairnCore

extension StoreInspector {
    /// A property that leads to an object.
    public struct Referrer: Hashable, Sendable {
        /// The object that leads there.
        public var object: ObjectID
        /// Its class.
        public var className: String
        /// The property of it.
        public var property: String
        /// How often it leads there.
        public var count: Int
    }

    /// What leads to an object, as the store notes it, by classes, properties and rows.
    ///
    /// - Throws: ``ObjectStoreError``: `corruption` where the engine's data are damaged, `ioError`.
    public func referrers(to id: ObjectID) throws(ObjectStoreError) -> [Referrer] {
        let entries = try ObjectStoreError.translating { () throws(EngineError) in try view.entries(Keyspace.references(toAny: id)) }
        return entries.compactMap { key, value in
            guard key.count == Keyspace.referenceSize else { return nil }
            let span = unsafe key.span.bytes
            let number: UInt16 = Keyspace.number(span, at: 9)
            let property: UInt16 = Keyspace.number(span, at: 11)
            let row = (Keyspace.number(span, at: 11) as UInt64) & ObjectID.maximumRow
            guard let stored = store.storedClass(number: number) else { return nil }
            var reader = unsafe FieldReader(value.span.bytes)
            let count = (try? reader.varint()) ?? 1
            return Referrer(
                object: ObjectID(class: number, row: row),
                className: stored.name,
                property: stored.entry[field: Int(property)]?.name ?? "\(property)",
                count: Int(clamping: count)
            )
        }
    }
}
