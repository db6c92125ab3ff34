import CairnCore

// RocksDB's own operators. They run in C++ and are the fastest.
extension MergeOperator {
    /// Adds numbers: values and operands are 8 bytes, little-endian, unsigned; sums wrap around. An operand of any other length is refused with
    /// ``RocksError/Code/invalidArgument``; a stored value of any other length counts as zero.
    ///
    /// - Throws: ``RocksError/Code/notSupported`` if the installed library does not have the operator; the same applies to the other operators
    ///   here.
    public static func addUInt64() throws(RocksError) -> MergeOperator { try MergeOperator(named: "uint64add") }

    /// Appends operands to the value, separated by `separator`, which may be empty.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` if the separator contains `;`, `{`, `}`, `=`, `\` or line breaks, begins or ends with a
    ///   space, or has a zero byte: RocksDB's option text cannot hold it.
    public static func appendText(separator: String = ",") throws(RocksError) -> MergeOperator {
        try checkForZeroByte(in: separator, "separator")
        guard separator.first?.isWhitespace != true, separator.last?.isWhitespace != true,
            !separator.utf8.contains(where: { ";{}=\\\r\n#".utf8.contains($0) })
        else {
            throw RocksError(.invalidArgument, "RocksDB's option text cannot hold the separator '\(separator)'")
        }
        return try MergeOperator(named: separator == "," ? "stringappend" : "{id=stringappend;delimiter=\(separator)}")
    }

    /// Keeps the largest value, by bytes.
    public static func largest() throws(RocksError) -> MergeOperator { try MergeOperator(named: "max") }

    /// Keeps the last operand: merging is the same as putting.
    public static func last() throws(RocksError) -> MergeOperator { try MergeOperator(named: "put") }

    /// Combines bytes with exclusive or; the shorter side is padded with zeros.
    public static func xor() throws(RocksError) -> MergeOperator { try MergeOperator(named: "bytesxor") }
}
