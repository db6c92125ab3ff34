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
            try unsafe fields._withUnsafeGuaranteedRef { $0.rule(at: index) }?.check(collection)
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
        unsafe write(references: ReferenceList.encode(collection).span.bytes, field: number)
    }
}

extension FieldReader {
    mutating func takeReference() throws(RecordError) -> ObjectID {
        guard kind == Wire.reference else { throw RecordError.mismatch(kind, "a reference") }
        kind = Wire.none
        let number = try varint()
        let row = try varint()
        guard number <= UInt16.max, row <= ObjectID.maximumRow else { throw RecordError.malformed("a reference leads to no possible row") }
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

/// The references of a to-many property, as stored in records.
///
/// ```
/// varint      the class they all lead to, or 0
/// varint      how many there are; the lowest bit says whether each has a key
/// each        [class as a varint, if they lead to several] row less that of the one before, zigzag [key: length as a varint, bytes]
/// ```
enum ReferenceList {
    static func encode(_ collection: ObjectCollection) -> [UInt8] {
        let ids = collection.ids
        var bytes: [UInt8] = []
        bytes.reserveCapacity(ids.count * 2 + 8)
        let first = ids.first?.classNumber ?? 0
        let number = ids.allSatisfy { $0.classNumber == first } ? first : 0
        Varint.append(UInt64(number), to: &bytes)
        Varint.append(UInt64(ids.count) << 1 | (collection.keys == nil ? 0 : 1), to: &bytes)
        var row: UInt64 = 0
        for (index, id) in ids.enumerated() {
            if number == 0 { Varint.append(UInt64(id.classNumber), to: &bytes) }
            let difference = Int64(bitPattern: id.row &- row)
            Varint.append(UInt64(bitPattern: difference << 1 ^ difference >> 63), to: &bytes)
            row = id.row
            if let key = collection.keys?[index] {
                Varint.append(UInt64(key.count), to: &bytes)
                bytes += key
            }
        }
        return bytes
    }

    static func decode(_ field: inout FieldReader) throws(RecordError) -> ObjectCollection {
        let number = try field.varint()
        let head = try field.varint()
        let count = head >> 1
        let hasKeys = head & 1 != 0
        guard number <= UInt16.max else { throw RecordError.malformed("a reference leads to no possible class") }
        // Each takes at least one byte, so a damaged count cannot allocate much memory.
        guard unsafe count <= UInt64(field.end - field.position) else { throw RecordError.truncated() }
        var ids = ContiguousArray(repeating: ObjectID(raw: 0), count: Int(count))
        var span = ids.mutableSpan
        var keys: ContiguousArray<[UInt8]>? = hasKeys ? [] : nil
        var row: UInt64 = 0
        for index in 0..<Int(count) {
            let target = number == 0 ? try field.varint() : number
            let code = try field.varint()
            row = row &+ UInt64(bitPattern: Int64(bitPattern: code >> 1) ^ -Int64(bitPattern: code & 1))
            guard target <= UInt16.max, row <= ObjectID.maximumRow else {
                throw RecordError.malformed("a reference leads to no possible row")
            }
            span[index] = ObjectID(class: UInt16(target), row: row)
            if hasKeys {
                let size = try field.varint()
                guard unsafe size <= UInt64(field.end - field.position) else { throw RecordError.truncated() }
                keys?.append(unsafe Array(UnsafeRawBufferPointer(start: field.position, count: Int(size))))
                unsafe field.position += Int(size)
            }
        }
        return ObjectCollection(ids: ids, keys: keys)
    }
}
