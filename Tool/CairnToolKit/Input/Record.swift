/// One record read from input, ready to be stored.
package struct Record: Hashable {
    package var key: [UInt8]
    package var value: [UInt8]
    /// The column family that the record itself names; `nil` if none.
    package var columnFamily: String?
    /// The line it begins on.
    package var line: Int
    package var keyForm = Form.text
    package var valueForm = Form.text

    /// What a key or value was in the input.
    package enum Form: Sendable {
        case text
        /// JSON other than a string.
        case json
        /// Hexadecimal digits.
        case digits
    }

    package init(key: [UInt8], value: [UInt8], columnFamily: String? = nil, line: Int) {
        self.key = key
        self.value = value
        self.columnFamily = columnFamily
        self.line = line
    }
}

/// An item of the input.
package enum InputItem: Hashable {
    case record(Record)
    /// A column family that exists, but may be empty; `nil` for the one that records without a column family belong to. Its types have the names that
    /// `--key-type` and `--value-type` take; `nil` if they are not given.
    case columnFamily(String?, keyType: String? = nil, valueType: String? = nil)
}

/// Reads records from input in one format.
package protocol RecordReader {
    /// Returns the next item; `nil` at the end.
    mutating func next() throws(InputError) -> InputItem?
}
