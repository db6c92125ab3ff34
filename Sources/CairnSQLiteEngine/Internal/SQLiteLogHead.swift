/// The head of the index of a file's log, in memory that all processes share.
///
/// Every commit changes it, and SQLite itself compares it to find out whether what it has read is still current. Its 48 bytes are documented
/// (<https://www.sqlite.org/walformat.html>, section 2.1): a version, a counter of transactions, the size of the log, sums and salts. There are two copies; a
/// commit writes the second, then the first, and is visible once they are equal. So while the first is unchanged, nobody has committed.
@safe package struct SQLiteLogHead: @unchecked Sendable {
    static let regionSize: Int32 = 32_768
    private let address: UnsafeRawPointer

    /// Fails for another format.
    package init?(_ address: UnsafeRawPointer) {
        guard unsafe address.load(as: UInt32.self) == 3_007_000 else { return nil }
        unsafe self.address = address
    }

    /// What it says now. Others may be writing it, so it may match no commit; it then differs from that of the last commit.
    package var value: Value {
        var words = SIMD16<UInt32>()
        for index in 0..<12 { words[index] = unsafe address.load(fromByteOffset: index * 4, as: UInt32.self) }
        return Value(words: words)
    }

    package struct Value: Equatable {
        /// The rest is 0.
        fileprivate var words = SIMD16<UInt32>()

        /// Whether this is the log after a commit that began after `former`, before anything else was committed: still the same log, which the commit
        /// made `pages` long.
        package func follows(_ former: Value, pages: Int) -> Bool {
            words[8] == former.words[8] && words[9] == former.words[9] && words[4] == pages
        }
    }
}
