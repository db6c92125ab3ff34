import CRocks
import CairnCore

/// The part of a key that is its prefix; RocksDB's `SliceTransform`.
///
/// ```swift
/// var options = ColumnFamilyOptions()
/// options.prefixExtractor = .custom(name: "example.user") { key in
///     // The bytes up to the first colon, and it; keys without one have no prefix.
///     [UInt8](copying: key).firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 }
/// }
/// ```
///
/// Filters, hash memtables and plain tables group keys by prefix, so the column family's order must do so too: no key with another prefix, or
/// without one, may come between two keys with the same prefix. Extractors are equal if their names are.
public struct PrefixExtractor: OptionObject {
    /// Returns the number of bytes of a key that are its prefix, or `nil` if the key has none.
    public typealias Length = @Sendable (_ key: RawSpan) -> Int?

    public let rawValue: String
    /// The C++ object of a custom extractor.
    let object: ObjectHandle?

    public init(rawValue: String) {
        self.rawValue = Self.canonical(rawValue)
        object = nil
    }

    private init(name: String, object: ObjectHandle) {
        rawValue = name
        self.object = object
    }

    /// Keys have no prefixes.
    public static let none = PrefixExtractor(rawValue: "nullptr")
    /// The first `length` bytes; shorter keys have no prefix.
    public static func fixed(_ length: Int) -> PrefixExtractor { PrefixExtractor(rawValue: "rocksdb.FixedPrefix.\(length)") }
    /// The first `length` bytes, or all bytes of shorter keys.
    public static func capped(_ length: Int) -> PrefixExtractor { PrefixExtractor(rawValue: "rocksdb.CappedPrefix.\(length)") }
    /// The key itself.
    public static let wholeKey = PrefixExtractor(rawValue: "rocksdb.Noop")

    /// A prefix that a closure finds.
    ///
    /// Only for ``ColumnFamilyOptions/prefixExtractor``. The closure is called on many threads at once, including RocksDB's own, for stored keys
    /// and for keys being looked up. It must depend only on the key, be fast, and not call the database. The span is only valid during the call.
    /// The closure lives as long as RocksDB refers to it.
    ///
    /// - Parameters:
    ///   - name: A name that is stored in each file and compared when files are read; change it whenever the closure changes. Opening throws
    ///     ``RocksError/Code/invalidArgument`` if it is empty, begins with `rocksdb.`, `leveldb.` or `cairn.`, or contains `:`, `;`, `{`, `}`,
    ///     `=` or line breaks.
    ///   - length: Returns how many bytes of the key are its prefix, or `nil` for none. A negative number counts as zero, and one beyond the
    ///     key's length as the whole key.
    public static func custom(name: String, length: @escaping Length) -> PrefixExtractor {
        PrefixExtractor(name: name, object: ObjectHandle(prefixExtractorNamed: name, length: length))
    }

    /// Whether this is more than a name.
    var isCustom: Bool { object != nil }

    /// Refuses a name that RocksDB could not read back, or would mistake for another extractor.
    func checkName() throws(RocksError) {
        guard isCustom else { return }
        try checkObjectName(rawValue, "prefix extractor name")
        try checkReserved(rawValue, "a prefix extractor")
        if rawValue.contains(":") || rawValue == "nullptr" {
            throw RocksError(.invalidArgument, "a prefix extractor cannot be named '\(rawValue)'; RocksDB would read it as a different one")
        }
    }

    public static func == (first: PrefixExtractor, second: PrefixExtractor) -> Bool { first.rawValue == second.rawValue }
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
