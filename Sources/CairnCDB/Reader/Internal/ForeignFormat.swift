/// Files of other formats. A cdb has no magic number, but none begins as these do: its first table would lie beyond the end of the file.
enum ForeignFormat {
    private static let marks: [(text: String, phrase: String)] = [
        ("CairnMap", "a mapped store"), ("CAIRNENC", "an encrypted file of a RocksDB database"),
        ("CairnCFx", "the list of an exported column family"), ("SQLite format 3\0", "an SQLite database"),
        ("ToKyO CaBiNeT\n", "a Tokyo Cabinet database"), ("bplist00", "a property list"),
    ]

    /// Returns what kind of file begins with `header`; `nil` unless it is known not to be a cdb.
    static func phrase(_ header: RawSpan) -> String? {
        let start = unsafe header.withUnsafeBytes { unsafe Array($0.prefix(16)) }
        return marks.first { start.starts(with: $0.text.utf8) }?.phrase
    }
}
