public import CairnCore

/// A set of named columns stored under one key; RocksDB's wide-column entity.
///
/// ```swift
/// try db.putEntity(["name": "Katrina", "songs": "12"], for: "artist/7")
/// let songs = try db.entity(for: "artist/7")?["songs"]
/// ```
///
/// The columns are stored, read and replaced together: a single column cannot be changed alone. A plain value is equivalent to an entity with one
/// column whose name is empty. For an entity, ``RocksReader/get(_:options:)`` returns the value of that column, or an empty value if there is none.
public struct Entity: Sendable, Hashable {
    /// A column: a name and a value.
    public struct Column: Sendable, Hashable {
        /// Any bytes, unique within the entity.
        public let name: [UInt8]
        /// Any bytes.
        public let value: [UInt8]
    }

    /// The columns, sorted by the bytes of their names.
    public private(set) var columns: [Column] = []

    /// Creates an entity without columns.
    public init() {}

    /// Creates an entity from columns already sorted in RocksDB's order.
    init(sorted columns: [Column]) { self.columns = columns }

    /// Creates an entity with a single unnamed column, like a plain value.
    public init(value: some ByteSource & ~Escapable) { self.value = value.withBytes { [UInt8](copying: $0) } }

    /// The value of the column with the given name, or `nil` if there is none. Setting `nil` removes the column.
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

    /// Returns the value of the column with the given name as a `String`, `Data` or other `ByteResult`, or `nil` if there is none.
    ///
    /// - Throws: ``RocksError/Code/codec`` if the value cannot be converted.
    public func get<Value: ByteResult>(
        _ name: some ByteSource & ~Escapable,
        as type: Value.Type = Value.self
    ) throws(RocksError) -> Value? {
        guard let bytes = self[name] else { return nil }
        do { return try Value(copying: bytes.span.bytesOfUInt8) } catch { throw RocksError.codec("reading a column as \(type)", error) }
    }

    /// Sets the value of the column with the given name.
    public mutating func put(_ value: some ByteSource & ~Escapable, for name: some ByteSource & ~Escapable) {
        self[name] = value.withBytes { [UInt8](copying: $0) }
    }

    /// The value of the unnamed column, which ``RocksReader/get(_:options:)`` returns.
    public var value: [UInt8]? {
        get { self[""] }
        set { self[""] = newValue }
    }

    /// Returns the index of the column with this name, or where it would be inserted.
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
    /// Creates an entity from a dictionary literal. If a name occurs twice, the last value wins.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { put(value, for: name) }
    }
}
