/// Text formats for records, which `cdb -c` reads and `cdb -d` writes.
public enum CDBTextFormat: String, Sendable, CaseIterable {
    /// `+klen,vlen:key->value` and a newline for each record, then an empty line. Keys and values may contain any bytes.
    case records
    /// A line for each record: key, white space, value. Empty lines and lines that begin with `#` are skipped. Values contain no newline, and keys no
    /// white space.
    case map
}

/// A record of one of the text formats.
public struct CDBTextRecord: Sendable, Hashable {
    /// The key's bytes.
    public var key: [UInt8]
    /// The value's bytes.
    public var value: [UInt8]

    /// Creates a record.
    public init(key: [UInt8], value: [UInt8]) {
        self.key = key
        self.value = value
    }
}

extension CDBTextFormat {
    /// The text that follows the last record.
    public var end: String { self == .records ? "\n" : "" }

    /// Appends a record. In the line format, a record that does not fit the format is not detected; `cdb -d -m` does the same.
    public func append(key: RawSpan, value: RawSpan, to text: inout [UInt8]) {
        if self == .records { text += "+\(key.byteCount),\(value.byteCount):".utf8 }
        unsafe key.withUnsafeBytes { unsafe text.append(contentsOf: $0) }
        text += self == .records ? "->".utf8 : " ".utf8
        unsafe value.withUnsafeBytes { unsafe text.append(contentsOf: $0) }
        text.append(UInt8(ascii: "\n"))
    }
}
