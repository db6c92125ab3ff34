/// The objects of a class, in a file of BNRPersistence: rows from 2, and in row 1 what the class says of itself.
public struct BNRClassFile: Sendable {
    /// The name of the class.
    public let name: String
    /// The file.
    public let file: TokyoCabinetHashFile
    /// `nil` where row 1 cannot be read.
    public let metadata: BNRMetadata?
    /// The rows that can be read, sorted.
    public let rows: [UInt32]
    /// What is damaged, in the file and beyond: keys that are no rows, rows that are there twice (the first counts).
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
                damage.append("a key of \(record.key.count) bytes is no row")
                continue
            }
            if places[row] == nil { places[row] = place } else { damage.append("row \(row) is there twice") }
        }
        metadata = places.removeValue(forKey: 1).flatMap { BNRMetadata(file.records[$0].value) }
        // A class that never had an object has an empty file.
        if metadata == nil, !places.isEmpty { damage.append("what the class says of itself, in row 1, cannot be read") }
        rows = places.keys.sorted()
        self.places = places
        self.damage = damage
        guard let passphrase, !passphrase.isEmpty, !places.isEmpty else {
            self.passphrase = nil
            return
        }
        guard let metadata else {
            throw BNRError(.corruption, "the objects of \(name) cannot be decrypted: their salt was in row 1, which cannot be read")
        }
        self.passphrase = metadata.salt.map { BNRPassphrase(passphrase, salt: $0) }
    }

    /// The bytes of an object.
    public struct Content: Hashable, Sendable {
        /// Version and fields.
        public var bytes: ArraySlice<UInt8>
        /// Whether it was decrypted.
        public var wasEncrypted: Bool
    }

    /// Whether objects are decrypted.
    var isDecrypting: Bool { passphrase != nil }

    /// What an object wrote; `nil` where there is none in the row. With a passphrase it is decrypted, unless it is plain.
    ///
    /// - Complexity: O(1), and the size of an object that is decrypted.
    public func content(row: UInt32) -> Content? {
        guard let place = places[row] else { return nil }
        let value = file.records[place].value
        guard let plain = passphrase?.decrypted(value, row: row) else { return Content(bytes: value, wasEncrypted: false) }
        return Content(bytes: plain, wasEncrypted: true)
    }
}

extension UInt32 {
    /// The number that bytes are, the least significant first.
    init(little bytes: ArraySlice<UInt8>) { self = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
}
