public import CairnCore

/// Named columns under one key; RocksDB's wide-column entity.
///
/// ```swift
/// try db.putEntity(["name": "Katrina", "songs": "12"], for: "artist/7")
/// let songs = try db.entity(for: "artist/7")?["songs"]
/// ```
///
/// The columns are stored, read and replaced together: there is no way to change one alone. A plain value is the same as an entity with one
/// column, whose name is empty; ``RocksReader/get(_:options:)`` of an entity gives that column, or an empty value if there is none.
public struct Entity: Sendable, Hashable {
    /// A name and a value.
    public struct Column: Sendable, Hashable {
        /// Any bytes; no other column of the entity has the same.
        public let name: [UInt8]
        /// Any bytes.
        public let value: [UInt8]
    }

    /// The columns, sorted by the bytes of their names.
    public private(set) var columns: [Column] = []

    /// No columns.
    public init() {}

    /// `columns` are sorted, as RocksDB has them.
    init(sorted columns: [Column]) { self.columns = columns }

    /// One column without a name, as a plain value has.
    public init(value: some ByteSource & ~Escapable) { self.value = value.withBytes { [UInt8](copying: $0) } }

    /// The column of that name; `nil`: there is none. Setting `nil` removes it.
    public subscript(name: some ByteSource & ~Escapable) -> [UInt8]? {
        get {
            let name = name.withBytes { [UInt8](copying: $0) }
            let place = place(of: name)
            return place < columns.count && columns[place].name == name ? columns[place].value : nil
        }
        set {
            let name = name.withBytes { [UInt8](copying: $0) }
            let place = place(of: name)
            if place < columns.count, columns[place].name == name { columns.remove(at: place) }
            if let newValue { columns.insert(Column(name: name, value: newValue), at: place) }
        }
    }

    /// The column of that name as a `String`, `Data` or other `ByteResult`; `nil`: there is none.
    ///
    /// - Throws: ``RocksError/Code/codec`` if the value has no such form.
    public func get<Value: ByteResult>(
        _ name: some ByteSource & ~Escapable,
        as type: Value.Type = Value.self
    ) throws(RocksError) -> Value? {
        guard let bytes = self[name] else { return nil }
        do { return try Value(copying: bytes.span.bytesOfUInt8) } catch { throw RocksError.codec("reading a column as \(type)", error) }
    }

    /// Sets the column of that name.
    public mutating func put(_ value: some ByteSource & ~Escapable, for name: some ByteSource & ~Escapable) {
        self[name] = value.withBytes { [UInt8](copying: $0) }
    }

    /// The column without a name, which is what ``RocksReader/get(_:options:)`` gives.
    public var value: [UInt8]? {
        get { self[""] }
        set { self[""] = newValue }
    }

    /// Where the name is, or belongs.
    private func place(of name: [UInt8]) -> Int {
        var low = 0
        var high = columns.count
        while low < high {
            let middle = (low + high) / 2
            if columns[middle].name.lexicographicallyPrecedes(name) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Entity: ExpressibleByDictionaryLiteral {
    /// Of a name that comes twice, the last value counts.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { put(value, for: name) }
    }
}
