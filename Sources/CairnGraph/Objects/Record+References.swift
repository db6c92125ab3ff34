import CairnCore

extension RecordReader {
    /// Reads the value of a to-one property; no reference if the record lacks it.
    public mutating func readReference(_ index: Int) throws(RecordError) -> ObjectReference {
        let tag = UInt(bitPattern: index) < UInt(bitPattern: tagCount) ? unsafe tags[index] : 0
        guard try find(tag), field.kind != Wire.null else { return .none }
        do throws(RecordError) {
            let id = try field.takeReference()
            try unsafe fields._withUnsafeGuaranteedRef { $0.rule(at: index) }?.check(id)
            return ObjectReference(id)
        } catch {
            throw failed(error, tag, index)
        }
    }

    /// Reads the value of a to-many property; `nil` if the record lacks it, as for derived properties.
    public mutating func readCollection(_ index: Int) throws(RecordError) -> ObjectCollection? {
        let tag = UInt(bitPattern: index) < UInt(bitPattern: tagCount) ? unsafe tags[index] : 0
        guard tag != 0, try find(tag), field.kind != Wire.null else { return nil }
        do throws(RecordError) {
            let collection = try field.takeReferences()
            // The chunks of a long collection are checked when they are read.
            let rule = unsafe fields._withUnsafeGuaranteedRef { $0.rule(at: index) }
            if let long = collection.long { try rule?.checkKeys(long.hasKeys) } else { try rule?.check(collection.short) }
            return collection
        } catch {
            throw failed(error, tag, index)
        }
    }
}

extension RecordWriter {
    /// Writes the value of a to-one property.
    public mutating func write(_ reference: ObjectReference, field number: Int) {
        write(reference: UInt64(reference.id.classNumber), row: reference.id.row, field: number)
    }

    /// Writes the value of a to-many property. Derived properties, whose number is 0, are not written.
    public mutating func write(_ collection: ObjectCollection?, field number: Int) {
        guard number > 0, let collection else { return }
        guard collection.long != nil || collection.short.ids.count > longest else {
            return unsafe write(references: ReferenceList.encode(collection.short).span.bytes, field: number)
        }
        writeLong(collection, field: number)
    }
}

extension FieldReader {
    mutating func takeReference() throws(RecordError) -> ObjectID {
        guard kind == Wire.reference else { throw RecordError.mismatch(kind, "a reference") }
        kind = Wire.none
        let number = try varint()
        let row = try varint()
        guard number <= UInt16.max, row <= ObjectID.maximumRow else {
            throw RecordError.malformed("a reference has an invalid row")
        }
        return ObjectID(class: UInt16(number), row: row)
    }

    mutating func takeReferences() throws(RecordError) -> ObjectCollection {
        guard kind == Wire.references else { throw RecordError.mismatch(kind, "references") }
        let count = try varint()
        guard unsafe count <= UInt64(UInt(bitPattern: end - position)) else { throw RecordError.truncated() }
        kind = Wire.none
        let outer = unsafe end
        defer { unsafe end = outer }
        unsafe end = position + Int(truncatingIfNeeded: count)
        return try ReferenceList.decode(&self)
    }
}

extension ReferenceList {
    /// Reads up to the end of the list.
    static func decode(_ field: inout FieldReader) throws(RecordError) -> ObjectCollection {
        let number = try field.varint()
        if number == longMark { return ObjectCollection(try LongList(directory: &field)) }
        let content = try decode(&field, number)
        return ObjectCollection(ids: content.ids, keys: content.keys)
    }
}
