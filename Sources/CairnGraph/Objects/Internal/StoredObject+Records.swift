import CairnCore

extension ObjectRecord {
    /// Reads the values of a record into an object; returns the record's header.
    ///
    /// - Throws: ``RecordError``; the object then has no values.
    static func read(
        _ record: RawSpan,
        into object: any StoredObject,
        _ fields: FieldMap
    ) throws(RecordError) -> Header {
        let header = try header(record)
        var reader = RecordReader(bytes: record.extracting(droppingFirst: header.size), fields: fields, version: header.version)
        do throws(RecordError) { try object._$read(&reader) } catch {
            object._$clear()
            throw error
        }
        object._$state.note(large: reader.large, type(of: object).objectSchema)
        return header
    }
}

extension StoredObject {
    /// Sets a property to what a record has, without noting a change.
    func assign(_ index: Int, _ record: [UInt8], _ fields: FieldMap) throws(RecordError) {
        let tracking = pauseTracking()
        defer { resumeTracking(tracking) }
        var reader = unsafe RecordReader(bytes: record.span.bytes, fields: fields)
        try Self.objectSchema.properties[index].assign?(self, &reader, index)
    }
}
