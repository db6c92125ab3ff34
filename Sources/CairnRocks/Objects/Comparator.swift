import CRocks
import CairnCore

/// The order of a column family's keys; RocksDB's `Comparator`.
///
/// The order is chosen when a column family is created and cannot change: RocksDB stores ``name`` and refuses to open the column family with
/// another one.
///
/// ```swift
/// let byLength = Comparator(name: "example.length") { a, b in a.byteCount - b.byteCount }
/// var options = ColumnFamilyOptions()
/// options.comparator = byLength
/// ```
///
/// A comparator may be shared by many databases, which keep it alive as long as RocksDB points to it.
public final class Comparator: Sendable {
    /// The name stored in the database.
    public let name: String
    let handle: ObjectHandle
    private let isBuiltIn: Bool

    /// An order of your own.
    ///
    /// The closure must be a strict total order and always give the same answer: an order that contradicts itself damages the database, and some
    /// builds of RocksDB end the process when they notice. It is called on many threads at once, also on RocksDB's own, for every key
    /// comparison, so it must be fast; it must not call the database. The spans are lent for the call.
    ///
    /// Where keys of different bytes can be equal, leave Bloom filters and other hashes of keys off
    /// (``TableOptions/filterPolicy``, ``TableOptions/wholeKeyFiltering``, hash indexes): they go by the bytes and would miss such keys.
    ///
    /// - Parameters:
    ///   - name: Stored in the database; change it whenever the order changes. Opening throws ``RocksError/Code/invalidArgument`` for names
    ///     that begin with `rocksdb.` or `leveldb.`, which are reserved, or contain `;`, `{`, `}`, `=` or line breaks.
    ///   - compare: Returns a negative number where the first key comes first, zero where both are the same key, a positive number otherwise.
    public init(name: String, compare: @escaping @Sendable (_ first: RawSpan, _ second: RawSpan) -> Int) {
        self.name = name
        self.handle = ObjectHandle(comparatorNamed: name, compare: compare)
        self.isBuiltIn = false
    }

    private init(name: String, handle: ObjectHandle) {
        self.name = name
        self.handle = handle
        self.isBuiltIn = true
    }

    /// Refuses a name under which RocksDB could not tell this order from another.
    func checkName() throws(RocksError) {
        try checkObjectName(name, "comparator name")
        if !isBuiltIn, name.isEmpty || name.hasPrefix("rocksdb.") || name.hasPrefix("leveldb.") {
            throw RocksError(.invalidArgument, "a comparator of your own cannot be named '\(name)'; RocksDB reserves such names")
        }
    }

    /// Unsigned bytes, ascending; RocksDB's default, and the fastest.
    public static let bytewise = unsafe Comparator(
        name: "leveldb.BytewiseComparator",
        handle: ObjectHandle(owning: crk_comparator_bytewise()) { unsafe crk_comparator_release($0) }
    )
    /// Unsigned bytes, descending.
    public static let reverseBytewise = unsafe Comparator(
        name: "rocksdb.ReverseBytewiseComparator",
        handle: ObjectHandle(owning: crk_comparator_reverse_bytewise()) { unsafe crk_comparator_release($0) }
    )
}
