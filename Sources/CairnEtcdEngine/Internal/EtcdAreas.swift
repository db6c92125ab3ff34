import CairnCore

/// The first bytes of keys: commits that delete keys, and commits that depend on keys, do not meet if these differ.
///
/// In an object store, objects, the entries of indexes, and what is needed to open it have different ones.
struct EtcdAreas {
    /// The maximum number of areas that are told apart.
    static let most = 4

    /// `nil` if there are more.
    private(set) var bytes: Set<UInt8>? = []

    mutating func insert(_ key: RawSpan) {
        guard key.byteCount > 0 else { return bytes = nil }
        insert(unsafe key.unsafeLoad(fromByteOffset: 0, as: UInt8.self))
    }

    mutating func insert(_ range: KeyRange) {
        guard let first = range.lowerBound.first, let upper = range.upperBound else { return bytes = nil }
        guard upper.first == first || upper.count == 1 && upper[0] == first &+ 1 else { return bytes = nil }
        insert(first)
    }

    private mutating func insert(_ byte: UInt8) {
        bytes?.insert(byte)
        if let count = bytes?.count, count > Self.most { bytes = nil }
    }
}
