// What importers of other formats make, which know types by the catalog.

extension ObjectID {
    /// The identity of a row.
    package init(classNumber: UInt16, row: UInt64) { self.init(class: classNumber, row: row) }
}

extension StoreInspector.Name {
    /// Makes a name of a value of a type, to be stored by an ``ObjectImporter``.
    ///
    /// - Throws: ``RecordError``: `typeMismatch`, `outOfRange` where the value is none of the type.
    public init(name: String, value: RecordValue, type: StoredType) throws(RecordError) {
        var writer = RecordWriter()
        writer.write(TypedValue(value, type), field: 1)
        self.init(name: name, value: .value(value), bytes: try writer.bytes)
    }
}
