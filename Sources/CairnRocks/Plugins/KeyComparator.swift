import CRocks
import CairnCore

/// The order of a column family's keys; RocksDB's `Comparator`.
///
/// The order is chosen when a column family is created and cannot change: RocksDB stores ``name`` and refuses to open the column family with
/// another comparator.
///
/// ```swift
/// let byLength = KeyComparator(name: "example.length") { a, b in a.byteCount - b.byteCount }
/// var options = ColumnFamilyOptions()
/// options.comparator = byLength
/// ```
///
/// ``bytewise`` and ``reverseBytewise`` are RocksDB's own; ``unicodeAscending`` and ``unicodeDescending`` order text, whatever normalization
/// form it is in. Many databases may share a comparator, and keep it alive while RocksDB refers to it.
public final class KeyComparator: Sendable {
    /// The name that is stored in the database.
    public let name: String
    /// Whether keys with different bytes can be equal.
    public let equalKeys: EqualKeys
    let handle: ObjectHandle
    private let isBuiltIn: Bool

    /// What is known about keys that a comparator considers equal; RocksDB's `CanKeysWithDifferentByteContentsBeEqual`.
    public enum EqualKeys: Sendable {
        /// Equal keys have the same bytes.
        case sameBytes
        /// Equal keys may have different bytes. Whole-key filters, which compare bytes, would miss such keys, so opening with one
        /// (``TableOptions/filterPolicy`` with ``TableOptions/wholeKeyFiltering``, ``ColumnFamilyOptions/memtableWholeKeyFiltering``) throws
        /// ``RocksError/Code/invalidOption``. A ``ColumnFamilyOptions/prefixExtractor`` must give equal keys equal prefixes.
        case anyBytes
    }

    /// How keys are shortened in a file's index, where any key that separates two blocks will do; RocksDB's `FindShortestSeparator` and
    /// `FindShortSuccessor`.
    ///
    /// The closures are called once for each block that is written. They may return keys that were never stored, but the comparator must be able to
    /// order them. Results are checked: a result that is out of place, or not shorter, is ignored.
    public struct Shortening: Sendable {
        let separator: @Sendable (_ start: RawSpan, _ limit: RawSpan) -> [UInt8]?
        let successor: @Sendable (_ key: RawSpan) -> [UInt8]?

        /// Creates the shortening functions.
        ///
        /// - Parameters:
        ///   - separator: Returns a key shorter than `start` that does not come before it, but comes before `limit`; `nil` for none.
        ///   - successor: Returns a key shorter than `key` that does not come before it; `nil` for none.
        public init(
            separator: @escaping @Sendable (_ start: RawSpan, _ limit: RawSpan) -> [UInt8]?,
            successor: @escaping @Sendable (_ key: RawSpan) -> [UInt8]? = { _ in nil }
        ) {
            self.separator = separator
            self.successor = successor
        }
    }

    /// Creates a custom order.
    ///
    /// The closure must be a strict total order and always give the same answer: an inconsistent order damages the database, and some
    /// builds of RocksDB end the process when they notice. It is called for every key comparison, on many threads at once, including
    /// RocksDB's own, so it must be fast; it must not call the database. The spans are only valid during the call.
    ///
    /// - Parameters:
    ///   - name: The name that is stored in the database; change it whenever the order changes. Opening throws
    ///     ``RocksError/Code/invalidArgument`` for names that begin with `rocksdb.`, `leveldb.` or `cairn.`, which are reserved, or contain `;`,
    ///     `{`, `}`, `=` or line breaks.
    ///   - equalKeys: Whether keys with different bytes can be equal. Bloom filters need ``EqualKeys/sameBytes``; if the comparator does not
    ///     keep that promise, reads miss keys.
    ///   - shortening: Makes the indexes of files smaller. `nil` means that they hold whole keys.
    ///   - compare: Returns a negative number if the first key comes first, zero if both are the same key, and otherwise a positive number.
    public init(
        name: String,
        equalKeys: EqualKeys = .anyBytes,
        shortening: Shortening? = nil,
        compare: @escaping @Sendable (_ first: RawSpan, _ second: RawSpan) -> Int
    ) {
        self.name = name
        self.equalKeys = equalKeys
        self.handle = ObjectHandle(
            comparatorNamed: name,
            equalKeys: equalKeys,
            body: ComparatorBody(compare: compare, shortening: shortening)
        )
        self.isBuiltIn = false
    }

    private init(name: String, equalKeys: EqualKeys, handle: ObjectHandle) {
        self.name = name
        self.equalKeys = equalKeys
        self.handle = handle
        self.isBuiltIn = true
    }

    /// Compares two keys in this order; RocksDB's `Compare`.
    ///
    /// - Returns: A negative number if the first key comes first, zero if both are the same key, and otherwise a positive number.
    public func compare(_ first: some ByteSource & ~Escapable, _ second: some ByteSource & ~Escapable) -> Int {
        first.withBytes { first in
            second.withBytes { second in
                unsafe first.withShimBytes { first in
                    unsafe second.withShimBytes { second in Int(unsafe crk_comparator_compare(handle.pointer, first, second)) }
                }
            }
        }
    }

    /// Refuses a name by which RocksDB could not distinguish this order from another.
    func checkName() throws(RocksError) {
        guard !isBuiltIn else { return }
        try checkObjectName(name, "comparator name")
        try checkReserved(name, "a comparator")
    }

    /// Unsigned bytes, ascending; RocksDB's default, and the fastest.
    public static let bytewise = unsafe KeyComparator(
        name: "leveldb.BytewiseComparator",
        equalKeys: .sameBytes,
        handle: ObjectHandle(owning: crk_comparator_bytewise()) { unsafe crk_comparator_release($0) }
    )
    /// Unsigned bytes, descending.
    public static let reverseBytewise = unsafe KeyComparator(
        name: "rocksdb.ReverseBytewiseComparator",
        equalKeys: .sameBytes,
        handle: ObjectHandle(owning: crk_comparator_reverse_bytewise()) { unsafe crk_comparator_release($0) }
    )
    /// Orders UTF-8 text by its characters, ascending. Canonically equivalent texts are the same key: `é` equals `e` with an accent.
    ///
    /// Keys are compared scalar by scalar in their canonical decomposition (NFD); a text comes before all longer texts that begin with it.
    /// So `e`, `ez`, `é`, `f` are in order, and `Z` comes before `a`: this is not the dictionary order of any language. The order depends
    /// on no locale, platform or library, and will never change: the tables are those of Unicode 14.0, and characters that later versions
    /// add are compared undecomposed. Bytes that are not UTF-8 stand for themselves: each comes after all characters, ordered by value.
    ///
    /// ASCII costs little more than ``bytewise``; where non-ASCII text first differs, it is decomposed from the preceding ASCII character on. Stored
    /// as `cairn.unicode14.ascending`. Whole-key filters are refused, see ``EqualKeys/anyBytes``.
    public static let unicodeAscending = unsafe KeyComparator(
        name: "cairn.unicode14.ascending",
        equalKeys: .anyBytes,
        handle: ObjectHandle(owning: crk_comparator_unicode(false, false)) { unsafe crk_comparator_release($0) }
    )
    /// The reverse of ``unicodeAscending``. Stored as `cairn.unicode14.descending`.
    public static let unicodeDescending = unsafe KeyComparator(
        name: "cairn.unicode14.descending",
        equalKeys: .anyBytes,
        handle: ObjectHandle(owning: crk_comparator_unicode(true, false)) { unsafe crk_comparator_release($0) }
    )
    /// The order of ``unicodeAscending``, for databases that ObjectiveRocks created with its `StringCompareAscending`; stored as
    /// `objectiverocks.string.compare.asc`.
    ///
    /// ObjectiveRocks compared with `NSString`'s `compare:`. Keys of ASCII characters have the same order there. Other text can differ; see
    /// <doc:ComingFromObjectiveRocks> before you write to such a database.
    public static let objectiveRocksStringAscending = unsafe KeyComparator(
        name: "objectiverocks.string.compare.asc",
        equalKeys: .anyBytes,
        handle: ObjectHandle(owning: crk_comparator_unicode(false, true)) { unsafe crk_comparator_release($0) }
    )
    /// The reverse of ``objectiveRocksStringAscending``, for ObjectiveRocks' `StringCompareDescending`; stored as
    /// `objectiverocks.string.compare.desc`.
    public static let objectiveRocksStringDescending = unsafe KeyComparator(
        name: "objectiverocks.string.compare.desc",
        equalKeys: .anyBytes,
        handle: ObjectHandle(owning: crk_comparator_unicode(true, true)) { unsafe crk_comparator_release($0) }
    )
}

extension KeyComparator {
    /// The comparators that need no closure: RocksDB's and this library's.
    static let builtIn: [KeyComparator] = [
        .bytewise, .reverseBytewise, .unicodeAscending, .unicodeDescending, .objectiveRocksStringAscending, .objectiveRocksStringDescending,
    ]

    /// The Swift names of these comparators, by their stored names.
    static let builtInNames: [String: String] = [
        bytewise.name: "bytewise", reverseBytewise.name: "reverseBytewise", unicodeAscending.name: "unicodeAscending",
        unicodeDescending.name: "unicodeDescending", objectiveRocksStringAscending.name: "objectiveRocksStringAscending",
        objectiveRocksStringDescending.name: "objectiveRocksStringDescending",
    ]

    /// The name of the order of keys with timestamps, used by column families that keep their history.
    package static let historyName = "leveldb.BytewiseComparator.u64ts"
}

/// Refuses names that belong to RocksDB or to this library.
func checkReserved(_ name: String, _ what: String) throws(RocksError) {
    if name.isEmpty || ["rocksdb.", "leveldb.", "cairn."].contains(where: name.hasPrefix) {
        throw RocksError(.invalidArgument, "\(what) cannot be named '\(name)'; such names are reserved")
    }
}
