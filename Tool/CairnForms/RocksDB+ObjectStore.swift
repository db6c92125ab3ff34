package import CairnRocks

extension RocksDB {
    /// According to the header, which is not encrypted; see docs/formats/object-store.md.
    package var isObjectStore: Bool {
        let header: String? = try? get([0, 0] as [UInt8])
        return header?.contains(#""kind":"cairn objects""#) == true || isUnfinishedCopy
    }

    /// Whether a move of an object store to here is not complete; it may not have copied the header yet.
    private var isUnfinishedCopy: Bool {
        let mark: String? = try? get([0, 1, 0, 0] as [UInt8])
        return mark?.contains(#""state":"arriving""#) == true
    }

    /// How an object store is encrypted; `nil` if it is not, or the database is not an object store.
    package var objectStoreCipher: String? { isObjectStore ? try? get([0, 4] as [UInt8]) : nil }
}
