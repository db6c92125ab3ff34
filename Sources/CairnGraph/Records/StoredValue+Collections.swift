extension Array: StoredValue where Element: StoredValue {
    public static var storedType: StoredType { Element.self == UInt8.self ? .bytes : .array(Element.storedType) }
    @inlinable public static var blank: [Element]? { [] }

    @inlinable
    public init(reading reader: inout FieldReader) throws(RecordError) {
        if Element.self == UInt8.self {
            let bytes = try unsafe reader.takeBytes(as: Self.self)
            self = unsafe Array(bytes.assumingMemoryBound(to: Element.self))
            return
        }
        let list = try reader.beginList(as: Self.self)
        var elements: [Element] = []
        elements.reserveCapacity(list.count)
        for _ in 0..<list.count { elements.append(try reader.element(list)) }
        try reader.endList(list)
        self = elements
    }

    @inlinable
    public func write(to writer: inout FieldWriter) {
        if Element.self == UInt8.self {
            unsafe withUnsafeBytes { unsafe writer.put(bytes: $0) }
            return
        }
        let outer = writer.beginList()
        for element in self { writer.element(element) }
        writer.endList(outer)
    }
}

extension Set: StoredValue where Element: StoredValue {
    public static var storedType: StoredType { .set(Element.storedType) }
    @inlinable public static var blank: Set<Element>? { [] }

    /// Also reads arrays.
    @inlinable
    public init(reading reader: inout FieldReader) throws(RecordError) {
        let list = try reader.beginList(as: Self.self)
        var elements = Set(minimumCapacity: list.count)
        for _ in 0..<list.count { elements.insert(try reader.element(list)) }
        try reader.endList(list)
        self = elements
    }

    /// Writes the elements in the order of their bytes, so that equal sets have equal bytes.
    @inlinable
    public func write(to writer: inout FieldWriter) {
        let outer = writer.beginList()
        for element in self { writer.element(element) }
        _ = writer.sortElements()
        writer.endList(outer)
    }
}

extension Dictionary: StoredValue where Key: StoredValue, Value: StoredValue {
    public static var storedType: StoredType { .dictionary(Key.storedType, Value.storedType) }
    @inlinable public static var blank: [Key: Value]? { [:] }

    @inlinable
    public init(reading reader: inout FieldReader) throws(RecordError) {
        // A list of two lists: keys and values.
        let both = try reader.beginList(as: Self.self)
        guard both.count != 0 else {
            try reader.endList(both)
            self = [:]
            return
        }
        guard both.count == 2 else { throw RecordError.malformed("a dictionary is not a list of two lists") }
        let keys: [Key] = try reader.list(both)
        try reader.nextElement(both)
        let values = try reader.beginList(as: Self.self)
        guard values.count == keys.count else {
            throw RecordError.malformed("a dictionary has \(keys.count) keys and \(values.count) values")
        }
        var entries = Dictionary(minimumCapacity: keys.count)
        for key in keys {
            guard entries.updateValue(try reader.element(values), forKey: key) == nil else {
                throw RecordError.malformed("a dictionary has a duplicate key")
            }
        }
        try reader.endList(values)
        try reader.endList(both)
        self = entries
    }

    /// Writes the entries in the order of the keys' bytes, so that equal dictionaries have equal bytes.
    @inlinable
    public func write(to writer: inout FieldWriter) {
        let both = writer.beginList()
        defer { writer.endList(both) }
        guard !isEmpty else { return }
        let entries = Array(self)
        writer.pending = 1
        let keys = writer.beginList()
        for entry in entries { writer.element(entry.key) }
        let order = writer.sortElements()
        writer.endList(keys)
        writer.pending = 1
        let values = writer.beginList()
        for place in order { writer.element(entries[place].value) }
        writer.endList(values)
    }
}
