public import CairnCore

extension Comparator {
    /// An order of decoded keys.
    ///
    /// ```swift
    /// let newestFirst = Comparator(name: "example.newest", keys: .ordered, equalKeys: .sameBytes) { (a: Int, b: Int) in b < a ? -1 : b > a ? 1 : 0 }
    /// ```
    ///
    /// As ``init(name:equalKeys:shortening:compare:)``. Keys that cannot be decoded come behind all others, in the order of their bytes.
    /// Each comparison decodes two keys; where speed counts, choose a codec whose bytes sort by themselves, as `KeyCodec.ordered` is, and
    /// leave the order ``bytewise``.
    public convenience init<Key>(
        name: String,
        keys: KeyCodec<Key>,
        equalKeys: EqualKeys = .anyBytes,
        compare: @escaping @Sendable (_ first: Key, _ second: Key) -> Int
    ) {
        self.init(name: name, equalKeys: equalKeys) { first, second in
            switch (decoded(first, by: keys), decoded(second, by: keys)) {
            case (let first?, let second?): compare(first, second)
            case (.some, nil): -1
            case (nil, .some): 1
            case (nil, nil): first.bytewiseOrder(second)
            }
        }
    }
}

private func decoded<Key>(_ bytes: RawSpan, by keys: KeyCodec<Key>) -> Key? {
    do throws(CodecError) { return try keys.decode(bytes) } catch { return nil }
}
