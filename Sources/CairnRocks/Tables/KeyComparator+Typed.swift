public import CairnCore

extension KeyComparator {
    /// Creates a comparator that orders decoded keys.
    ///
    /// ```swift
    /// let newestFirst = KeyComparator(name: "example.newest", keys: .ordered, equalKeys: .sameBytes) { (a: Int, b: Int) in b < a ? -1 : b > a ? 1 : 0 }
    /// ```
    ///
    /// Like ``init(name:equalKeys:shortening:compare:)``. Keys that cannot be decoded sort after all others, in the order of their bytes. Each
    /// comparison decodes two keys. If speed matters, choose a codec whose bytes sort correctly by themselves, such as `KeyCodec.ordered`, and keep
    /// the ``bytewise`` order.
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
