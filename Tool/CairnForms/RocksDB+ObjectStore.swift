package import CairnRocks

extension RocksDB {
    /// According to the header, which is not encrypted; see docs/formats/object-store.md.
    package var isObjectStore: Bool {
        let header: String? = try? get([0, 0] as [UInt8])
        return header?.contains(#""kind":"cairn objects""#) == true
    }

    /// How an object store is encrypted; `nil` if it is not, or the database is not an object store.
    package var objectStoreCipher: String? { isObjectStore ? try? get([0, 4] as [UInt8]) : nil }
}
