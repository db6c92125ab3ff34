import CairnCore

/// The layout of keys in the engine: the first byte of each key says what it is. Numbers in keys are big-endian, so that they sort. The whole layout is
/// in `docs/formats/object-store.md`.
package enum Keyspace {
    /// What the store is: format and identity.
    static let header: [UInt8] = [0x00, 0x00]
    /// `00 01, class`: a class of the catalog. `00 02, class`: the highest row it has given out.
    static func storedClass(_ number: UInt16) -> [UInt8] { [0x00, 0x01] + bigEndian(number) }
    static func lastRow(_ number: UInt16) -> [UInt8] { [0x00, 0x02] + bigEndian(number) }
    /// `00 03, index`: an index of the catalog.
    static func index(_ number: UInt32) -> [UInt8] { [0x00, 0x03] + bigEndian(number) }

    /// Whether the store was moved elsewhere; not encrypted. Its key is among those of the classes, on which every save depends; there is no class 0.
    static let move = storedClass(0)

    /// What an encrypted store keeps unencrypted about its encryption.
    static let encryption: [UInt8] = [0x00, 0x04]

    /// `01, class, page`: the records of 32 rows.
    static func page(_ number: UInt16, _ page: UInt64) -> [UInt8] { row(0x01, number, page) }
    /// `02, class, row`: a record that is too large for its page.
    static func large(_ id: ObjectID) -> [UInt8] { row(0x02, id.classNumber, id.row) }
    /// `03, index, key, row`: an entry of an index; of a unique one, the row is the value.
    static func entries(_ index: UInt32) -> [UInt8] { [entryKind] + bigEndian(index) }
    /// `04, owner, property, save, number`: a chunk of a long list.
    static func chunk(_ owner: ObjectID, _ property: UInt16, _ name: ListChunk.Name) -> [UInt8] {
        chunks(of: owner) + bigEndian(property) + bigEndian(name.save) + bigEndian(name.number)
    }
    /// All chunks of an object.
    static func chunks(of owner: ObjectID) -> [UInt8] { [chunkKind] + bigEndian(owner.raw) }
    static let chunkSize = 1 + 8 + 2 + 4 + 4
    /// `05, target, class and number of the property, owner's row`: which objects refer to an object, and how often (a varint).
    static func references(to target: ObjectID) -> [UInt8] { [0x05] + bigEndian(target.raw) }
    static func reference(to target: ObjectID, from owner: ObjectID, _ property: UInt16) -> [UInt8] {
        references(to: target) + bigEndian(owner.classNumber) + bigEndian(property) + bigEndian(owner.row).suffix(6)
    }
    /// The owner of a reference; `nil` if the key is not that of a reference.
    static func owner(_ key: RawSpan) -> ObjectID? {
        guard key.byteCount == referenceSize else { return nil }
        return ObjectID(class: number(key, at: 9), row: (number(key, at: 11) as UInt64) & ObjectID.maximumRow)
    }
    /// `06, name`: a named value.
    static func name(_ name: String) -> [UInt8] { [nameKind] + Array(name.utf8) }

    /// `08`: the key with which names of groups are hashed. `08, hash`: the key of a group of objects. `08 00`: that the engine's files may hold keys that
    /// were deleted.
    static let groups: [UInt8] = [groupKind]
    static let formerGroups: [UInt8] = [groupKind, 0x00]
    static func group(_ hash: UInt128) -> [UInt8] { [groupKind] + bigEndian(hash) }
    static let groupSize = 1 + 16

    static let entryKind: UInt8 = 0x03
    static let chunkKind: UInt8 = 0x04
    static let textKind: UInt8 = 0x07
    static let nameKind: UInt8 = 0x06
    static let groupKind: UInt8 = 0x08
    static let pageKind: UInt8 = 0x01
    static let largeKind: UInt8 = 0x02

    /// `07, index, shard, gram, block`: which objects of a block have a gram in their text.
    static func texts(_ index: UInt32) -> [UInt8] { [textKind] + bigEndian(index) }
    static func texts(_ index: UInt32, shard: UInt64) -> [UInt8] { texts(index) + bigEndian(UInt32(truncatingIfNeeded: shard)) }

    private static func row(_ kind: UInt8, _ number: UInt16, _ row: UInt64) -> [UInt8] {
        let id = ObjectID(class: number, row: row)
        return [kind] + bigEndian(id.raw)
    }

    static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (Number.bitWidth - 8 - 8 * $0)) }
    }

    /// The number at an offset of a key.
    static func number<Number: FixedWidthInteger>(_ key: RawSpan, at offset: Int) -> Number {
        (0..<Number.bitWidth / 8).reduce(0) {
            unsafe $0 << 8 | Number(truncatingIfNeeded: key.unsafeLoad(fromByteOffset: offset + $1, as: UInt8.self))
        }
    }
}

extension Keyspace {
    /// Lends the key of a reference, without an allocation.
    static func withReference(to target: ObjectID, from owner: ObjectID, _ property: UInt16, _ body: (RawSpan) -> Void) {
        unsafe withUnsafeTemporaryAllocation(byteCount: 24, alignment: 8) { buffer in
            unsafe buffer.storeBytes(of: 0x05, toByteOffset: 0, as: UInt8.self)
            unsafe buffer.storeBytes(of: target.raw.bigEndian, toByteOffset: 1, as: UInt64.self)
            unsafe buffer.storeBytes(of: owner.classNumber.bigEndian, toByteOffset: 9, as: UInt16.self)
            unsafe buffer.storeBytes(of: property.bigEndian, toByteOffset: 11, as: UInt16.self)
            unsafe buffer.storeBytes(of: (owner.row << 16).bigEndian, toByteOffset: 13, as: UInt64.self)
            unsafe body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: buffer[..<referenceSize])))
        }
    }

    static let referenceSize = 1 + 8 + 2 + 2 + 6
    /// All back references.
    static var references: KeyRange { KeyRange(prefix: [0x05]) }
    static func references(toAny target: ObjectID) -> KeyRange { KeyRange(prefix: references(to: target)) }

    /// The pages of a class.
    static func pages(_ number: UInt16) -> KeyRange { KeyRange(prefix: [0x01] + bigEndian(number)) }
    /// The records of a class that are too large for their pages.
    static func largeRecords(_ number: UInt16) -> KeyRange { KeyRange(prefix: [largeKind] + bigEndian(number)) }
    /// The pages with the rows from `start` up to `end`, which is the first row of its page.
    static func pages(_ number: UInt16, from start: UInt64, to end: UInt64?) -> KeyRange {
        var range = pages(number)
        if start > 0 { range.lowerBound = page(number, ObjectPage.page(of: start)) }
        if let end { range.upperBound = page(number, ObjectPage.page(of: end)) }
        return range
    }
    /// The first row of a page; `nil` if the key is not that of a page; readers skip such keys.
    static func firstRow(ofPage key: RawSpan) -> UInt64? {
        guard key.byteCount == 9 else { return nil }
        let page: UInt64 = number(key, at: 1) & ObjectID.maximumRow
        return page <= ObjectPage.page(of: ObjectID.maximumRow) ? page << ObjectPage.rowBits : nil
    }
}
