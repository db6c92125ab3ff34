import CairnCore

extension StoreInspector {
    /// A property that refers to an object.
    public struct Referrer: Hashable, Sendable {
        /// The object that refers to it.
        public var object: ObjectID
        /// Its class in the store.
        public var className: String
        /// Its property.
        public var property: String
        /// The number of references.
        public var count: Int
    }

    /// Returns the objects that refer to an object according to the store's back references, ordered by class, property and row.
    ///
    /// - Throws: ``ObjectStoreError``: `corruption` if the engine's data is damaged, `ioError`.
    public func referrers(to id: ObjectID) throws(ObjectStoreError) -> [Referrer] {
        let entries = try view.entries(Keyspace.references(toAny: id))
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
