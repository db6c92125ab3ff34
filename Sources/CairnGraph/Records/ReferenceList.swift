import CairnCore

/// The references of a short list, or of a chunk of a long one, as stored.
///
/// ```
/// varint      the class they all lead to, or 0; 65536: this is the directory of a long list (``LongList``)
/// varint      how many there are; the lowest bit says whether each has a key
/// each        [class as a varint, if they lead to several] row less that of the one before, zigzag [key: length as a varint, bytes]
/// ```
enum ReferenceList {
    /// Written in place of the class, which has 16 bits.
    static let longMark: UInt64 = 1 << 16

    /// References, and the keys at the same positions; only dictionaries have keys.
    struct Content {
        var ids: ContiguousArray<ObjectID> = []
        var keys: ContiguousArray<[UInt8]>?
    }

    static func encode(_ content: Content) -> [UInt8] {
        var bytes: [UInt8] = []
        encode(content, to: &bytes)
        return bytes
    }

    static func encode(_ content: Content, to bytes: inout [UInt8]) {
        let ids = content.ids
        bytes.reserveCapacity(bytes.count + ids.count * 2 + 8)
        let first = ids.first?.classNumber ?? 0
        let number = ids.allSatisfy { $0.classNumber == first } ? first : 0
        Varint.append(UInt64(number), to: &bytes)
        Varint.append(UInt64(ids.count) << 1 | (content.keys == nil ? 0 : 1), to: &bytes)
        var row: UInt64 = 0
        for index in ids.indices {
            let id = ids[index]
            if number == 0 { Varint.append(UInt64(id.classNumber), to: &bytes) }
            let code = zigzag(Int64(bitPattern: id.row &- row))
            if code < 0x80 { bytes.append(UInt8(truncatingIfNeeded: code)) } else { Varint.append(code, to: &bytes) }
            row = id.row
            if let key = content.keys?[index] {
                Varint.append(UInt64(key.count), to: &bytes)
                bytes += key
            }
        }
    }

    @inline(__always) static func zigzag(_ number: Int64) -> UInt64 { UInt64(bitPattern: number << 1 ^ number >> 63) }
    @inline(__always) static func unzigzag(_ code: UInt64) -> Int64 { Int64(bitPattern: code >> 1) ^ -Int64(bitPattern: code & 1) }

    static func decode(_ field: inout FieldReader, _ number: UInt64) throws(RecordError) -> Content {
        let head = try field.varint()
        let count = head >> 1
        let hasKeys = head & 1 != 0
        guard number <= UInt16.max else { throw RecordError.malformed("a reference has an invalid class") }
        // Each takes at least one byte, so a damaged count cannot allocate much memory.
        guard unsafe count <= UInt64(field.end - field.position) else { throw RecordError.truncated() }
        var ids = ContiguousArray(repeating: ObjectID(raw: 0), count: Int(count))
        var span = ids.mutableSpan
        var keys: ContiguousArray<[UInt8]>? = hasKeys ? [] : nil
        var row: UInt64 = 0
        for index in 0..<Int(count) {
            let target = number == 0 ? try field.varint() : number
            row = row &+ UInt64(bitPattern: unzigzag(try field.varint()))
            guard target <= UInt16.max, row <= ObjectID.maximumRow else {
                throw RecordError.malformed("a reference has an invalid row")
            }
            span[index] = ObjectID(class: UInt16(target), row: row)
            if hasKeys {
                let size = try field.varint()
                guard unsafe size <= UInt64(field.end - field.position) else { throw RecordError.truncated() }
                keys?.append(unsafe Array(UnsafeRawBufferPointer(start: field.position, count: Int(size))))
                unsafe field.position += Int(size)
            }
        }
        return Content(ids: ids, keys: keys)
    }
}
