/// The objects of a class, in a BNRPersistence file. Row 1 has the metadata of the class; objects have rows from 2.
public struct BNRClassFile: Sendable {
    /// The name of the class.
    public let name: String
    /// The file.
    public let file: TokyoCabinetHashFile
    /// The contents of row 1; `nil` if it cannot be read.
    public let metadata: BNRMetadata?
    /// The rows that can be read, sorted.
    public let rows: [UInt32]
    /// The damage found in the file, including keys that are not rows, and duplicate rows, of which the first is used.
    public let damage: [String]

    private let places: [UInt32: Int]
    private let passphrase: BNRPassphrase?

    init(_ name: String, _ file: TokyoCabinetHashFile, passphrase: String?) throws(BNRError) {
        self.name = name
        self.file = file
        var damage = file.damage.map { "\($0)" }
        var places: [UInt32: Int] = [:]
        places.reserveCapacity(file.records.count)
        for (place, record) in file.records.enumerated() {
            guard record.key.count == 4, case let row = UInt32(little: record.key), row != 0 else {
                damage.append("a key of \(record.key.count) bytes is not a row")
                continue
            }
            if places[row] == nil { places[row] = place } else { damage.append("row \(row) occurs twice") }
        }
        metadata = places.removeValue(forKey: 1).flatMap { BNRMetadata(file.records[$0].value) }
        // A class that never had an object has an empty file.
        if metadata == nil, !places.isEmpty { damage.append("the metadata of the class, in row 1, cannot be read") }
        rows = places.keys.sorted()
        self.places = places
        self.damage = damage
        guard let passphrase, !passphrase.isEmpty, !places.isEmpty else {
            self.passphrase = nil
            return
        }
        guard let metadata else {
            throw BNRError(.corruption, "the objects of \(name) cannot be decrypted: their salt is in row 1, which cannot be read")
        }
        self.passphrase = metadata.salt.map { BNRPassphrase(passphrase, salt: $0) }
    }

    /// The bytes of an object.
    public struct Content: Hashable, Sendable {
        /// The version and the fields.
        public var bytes: ArraySlice<UInt8>
        /// Whether it was decrypted.
        public var wasEncrypted: Bool
    }

    /// Whether objects are decrypted.
    var isDecrypting: Bool { passphrase != nil }

    /// The bytes of an object; `nil` if the row has none. If there is a passphrase, encrypted objects are decrypted.
    ///
    /// - Complexity: O(1); O(n) in the size of an encrypted object.
    public func content(row: UInt32) -> Content? {
        guard let place = places[row] else { return nil }
        let value = file.records[place].value
        guard let plain = passphrase?.decrypted(value, row: row) else { return Content(bytes: value, wasEncrypted: false) }
        return Content(bytes: plain, wasEncrypted: true)
    }
}

extension UInt32 {
    /// The number in little-endian bytes.
    init(little bytes: ArraySlice<UInt8>) { self = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
}
