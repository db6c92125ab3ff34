public import CairnCore

extension MergeOperator {
    /// Creates an associative operator on decoded keys and values.
    ///
    /// ```swift
    /// let add = MergeOperator(name: "example.add", keys: .ordered, values: .littleEndian) { (_: String, sum: Int?, n: Int) in (sum ?? 0) + n }
    /// ```
    ///
    /// Like ``init(name:associative:)``. A key or value that cannot be decoded or encoded makes the merge fail.
    public convenience init<Key, Value>(
        name: String,
        keys: KeyCodec<Key>,
        values: ValueCodec<Key, Value>,
        associative merge: @escaping @Sendable (_ key: Key, _ existing: Value?, _ operand: Value) -> Value?
    ) {
        self.init(name: name) { key, existing, operand in
            do throws(CodecError) {
                let key = try keys.decode(key)
                let current: Value? = if let existing { try values.decode(existing, for: key) } else { nil }
                guard let merged = merge(key, current, try values.decode(operand, for: key)) else { return nil }
                return try values.encode(merged, for: key)
            } catch {
                return nil
            }
        }
    }
}
