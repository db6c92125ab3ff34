public import CairnCore

extension CompactionFilter {
    /// A filter's decision about a decoded entry; see ``Decision``.
    public enum TypedDecision<Key, Value> {
        /// Keeps the entry unchanged.
        case keep
        /// Removes the entry.
        case remove
        /// Keeps the entry with this value.
        case change(Value)
        /// Removes the entry and all entries after it up to this key; see ``Decision/removeAndSkipUntil(_:)``.
        case removeAndSkipUntil(Key)
    }

    /// Creates a filter of decoded keys and values.
    ///
    /// ```swift
    /// let tidy = CompactionFilter(name: "example.tidy", keys: .ordered, values: .utf8) { (_: Int, text: String, _) in
    ///     text.isEmpty ? .remove : .keep
    /// }
    /// ```
    ///
    /// Like ``init(name:stages:mergeOperands:decide:)``, but for values only. An entry that cannot be decoded, or whose new value cannot be encoded,
    /// is kept unchanged.
    public convenience init<Key, Value>(
        name: String,
        stages: Stages = .compaction,
        keys: KeyCodec<Key>,
        values: ValueCodec<Key, Value>,
        decide: @escaping @Sendable (_ key: Key, _ value: Value, _ context: Context) -> TypedDecision<Key, Value>
    ) {
        self.init(name: name, stages: stages) { key, value, context in
            do throws(CodecError) {
                let key = try keys.decode(key)
                switch decide(key, try values.decode(value, for: key), context) {
                case .keep: return .keep
                case .remove: return .remove
                case .change(let new): return .change(try values.encode(new, for: key))
                case .removeAndSkipUntil(let key): return .removeAndSkipUntil(try keys.encode(key))
                }
            } catch {
                return .keep
            }
        }
    }
}
