// For importers of other formats, which know types from the catalog.

extension ObjectID {
    /// The identity of a row.
    package init(classNumber: UInt16, row: UInt64) { self.init(class: classNumber, row: row) }
}

extension StoreInspector.Name {
    /// Makes a name for a value of a type, to be stored by an ``ObjectImporter``.
    ///
    /// - Throws: ``RecordError``: `typeMismatch`, `outOfRange` if the value is not of the type.
    public init(name: String, value: RecordValue, type: StoredType) throws(RecordError) {
        var writer = RecordWriter()
        writer.write(TypedValue(value, type), field: 1)
        self.init(name: name, value: .value(value), bytes: try writer.bytes)
    }
}
